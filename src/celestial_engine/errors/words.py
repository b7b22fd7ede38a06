"""Words in the fields of an error: translated, unlike user input."""

from __future__ import annotations

from enum import Enum


class Expected(str, Enum):
    """What a value should have been."""

    TEXT = "text"
    NUMBER = "number"
    WHOLE_NUMBER = "whole_number"
    WHOLE_OR_NONE = "whole_or_none"
    POSITIVE_NUMBER = "positive_number"
    NEGATIVE_NUMBER = "negative_number"
    YES_OR_NO = "yes_or_no"
    OBJECT = "object"
    LIST = "list"
    PATH = "path"
    PATH_IN_PROJECT = "path_in_project"
    FOLDER = "folder"
    FOLDER_OR_NONE = "folder_or_none"
    LIST_OF_TEXTS = "list_of_texts"
    TEXT_OR_TEXTS = "text_or_texts"
    LIST_OF_OBJECTS = "list_of_objects"
    LIST_OF_IDS = "list_of_ids"
    LIST_OF_TURNS = "list_of_turns"
    TURNS_FILE = "turns_file"
    FIELD_NAMES = "field_names"
    EPOCH_SECONDS = "epoch_seconds"
    DURATION = "duration"
    MINUTES = "minutes"
    MOMENT = "moment"
    DATETIME = "datetime"
    START_AND_END = "start_and_end"
    TIMESTAMP = "timestamp"
    EVENT_NUMBER = "event_number"
    EVENT_NAME = "event_name"
    LEDGER_HEAD = "ledger_head"
    QUIET_HOURS = "quiet_hours"
    EMBEDDER = "embedder"
    CROSS_ENCODER = "cross_encoder"
    LANGUAGE_MODEL = "language_model"
    MODEL_FUNCTION = "model_function"
    ORIGIN = "origin"
    FILTER = "filter"
    MEMORY = "memory"
    ANY_MEMORY = "any_memory"
    TOOL_USE = "tool_use"
    FUNCTION_CALL = "function_call"
    CHAIN_INPUT = "chain_input"
    STORE_OPERATION = "store_operation"
    STELLAR_MEMORY = "stellar_memory"


class Thing(str, Enum):
    """What exists or is missing."""

    MEMORY = "memory"
    ISLAND = "island"
    BELIEF = "belief"
    ZONE = "zone"
    OWNER = "owner"


class Action(str, Enum):
    """What was to be done with a memory."""

    FORGET = "forget"
    CHANGE = "change"
    RESTORE = "restore"
    RECALL = "recall"
    ACT_ON = "act_on"
    MAKE_CORE = "make_core"
    SUPPORT = "support"
    RATE = "rate"
    PIN = "pin"
    UNPIN = "unpin"
