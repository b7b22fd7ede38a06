"""Licences of what is installed for development and by the extras."""

from __future__ import annotations

from email.message import Message
from importlib.metadata import distributions
from types import SimpleNamespace

import pytest
from tools.licences import licence_of, refused


def test_every_installed_package_may_be_used():
    assert refused(distributions()) == []


def package(**fields):
    data = Message()
    data["Name"] = "some-package"
    for name, value in fields.items():
        data[name.replace("_", "-")] = value
    return SimpleNamespace(metadata=data, version="1")


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ({"License_Expression": "MIT"}, True),
        ({"Classifier": "License :: OSI Approved :: BSD License"}, True),
        ({"License": "Apache 2.0"}, True),
        ({"License_Expression": "AGPL-3.0-only"}, False),
        ({"License": "GPL v3"}, False),
        ({"License": "Commercial"}, False),
        ({}, False),
    ],
)
def test_what_is_allowed(fields, allowed):
    one = package(**fields)
    assert (refused([one]) == []) is allowed
    assert isinstance(licence_of(one), str)
