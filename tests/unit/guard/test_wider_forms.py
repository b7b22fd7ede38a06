"""Secrets in shells, files and numbers: one case for each way of telling them."""

from __future__ import annotations

import pytest

from celestial_engine.core.guard.secrets import redact_secrets

SHELLS = [
    ("docker login -u mike -p {} registry.example.io", "Zx81Spectrum"),
    ("podman login -p {} quay.example.io", "Zx81Spectrum"),
    ("twine upload -u kate -p {} dist/*", "Zx81Spectrum"),
    ("zip -P {} backup.zip notes.txt", "honeyBadger"),
    ("7z x -p{} backup.7z", "honeyBadger"),
    ("sqlcmd -S db1 -U sa -P {}", "honeyBadger"),
    ("mosquitto_pub -u dev -P {} -t a/b -m 1", "honeyBadger"),
    ("ldapsearch -D cn=admin -w {} -b dc=x", "honeyBadger"),
    ("mongosh -u kate -p {} shop", "honeyBadger"),
    ("openssl enc -aes-256-cbc -k {} -in a -out b", "honeyBadger"),
    ("lftp -u kate,{} ftp.example.org", "honeyBadger"),
    ("wpa_passphrase HomeNet {}", "honeyBadger"),
    ("rabbitmqctl add_user shop {}", "honeyBadger"),
    ('echo "deploy:{}" | chpasswd', "honeyBadger"),
    ("net user bob {} /add", "Passw0rd9"),
    ("net use Z: \\\\srv\\share /user:corp\\jim {}", "honeyBadger"),
]
FILES = [
    ('{{"auth": {{"user": "bot", "pass": "{}"}}}}', "plainotter"),
    ("- name: DB_PASSWORD\n  value: {}", "plainotter"),
    ('<add key="DbPassword" value="{}" />', "plainotter"),
    ("define('DB_PASSWORD', '{}');", "plainotter"),
    ("CREATE USER kate IDENTIFIED BY '{}';", "plainotter"),
    ("Pwd={};Server=db1;", "plainotter"),
    ("client_secret = '{}'", "p2-8Qm_xT4vR"),
    ("Cookie: theme=dark; JSESSIONID={}", "0A1B2C3D4E5F60718293A4B5C6D7E8F9"),
    ("WIFI:S:HomeNet;T:WPA;P:{};;", "mapleSyrup"),
    ("site,user,password\nshop,kate,{}", "plainotter9"),
    ("Site\tUser\tPassword\nshop\tkate\t{}", "plainotter9"),
]
TALK = [
    ("the password is literally just {}", "letmein"),
    ("set the backup passphrase to '{}' yesterday", "correct horse battery staple"),
    ("my PIN used to be 1188 and is now {}", "2277"),
    ("p@ssword is {}", "grapeJelly8"),
    ("sim pin 4482, puk {}", "83920174"),
    ("비 번 : {}", "ahdtld12"),
    ("암호가 dkssud12 였던가 {} 이었던가", "dkssud13"),
    ("내 폰 핀은 {}", "7410"),
    ("비번-{}", "otter99"),
    ("the vault needs right {}", "12 left 40 right 7"),
    ("금고 번호는 {}", "좌로 12 우로 45 좌로 3"),
    ("카드 비밀번호 앞 두 자리는 {}", "38"),
]
NUMBERS = [
    ("otp 번호 {} 떴어", "839201"),
    ("the otp code from the bank: {}", "482913"),
    ("Use {} as your login code", "774201"),
    ("Your Uber code: {}. Never share this code.", "4488"),
    ("2FA backup: {}", "8fj2-k39d-m4n1"),
    ("Amex 3782 822463 10005, code on the front {}", "4471"),
    ("5555 4444 3333 1111 12/28 {}", "448"),
    ("법인카드 {}", "5531 2200 1122 3344"),
    ("주민번호 앞자리 920304 뒷자리 {}", "2034567"),
    ("socials: mine 219-45-6789, hers {}", "219-45-6790"),
    ("Driver's license: California {}", "D1234562"),
    ("입금은 국민 {}", "12345678901234"),
    ("니모닉은 {}", "가격 가끔 가난 가능 가득 가르침 가뭄 가방 가상 가슴 가운데 가을"),
]


@pytest.mark.parametrize(("text", "secret"), SHELLS + FILES + TALK + NUMBERS)
def test_it_is_redacted(text, secret):
    assert secret not in redact_secrets(text.format(secret)).text


@pytest.mark.parametrize(
    "text",
    [
        "docker run -p 8080:80 nginx",
        "psql -h localhost -p 5432 shop",
        "mosquitto_sub -p 1883 -t a/b",
        "net user lists the accounts",
        "the curve is identified by its properties",
        "A library of the user identified by name",
        "password: <your password here>",
        "password: [your password]",
        "Cookie: theme=dark; lang=de",
        "name,email,city\nAnna,anna@example.com,Ulm",
        "at 390, 1280 and 1920 pixels it opens",
        "시드 문구는 종이에 적어서 금고에 넣고 사진은 찍지 말고 가족에게도 말하지 않는 것이 가장 좋다고 합니다",
    ],
)
def test_what_only_looks_like_it_stays(text):
    assert redact_secrets(text).text == text
