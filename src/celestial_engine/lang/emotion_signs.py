"""Emotion signs that are the same in every language: emoji, emoticons, and letters for laughing and crying.

The keys are emotions with their strength, as in `lang/en/emotion.py`. Soft signs follow the mood of the words around
them: people cry for joy, and laugh about what makes them angry.
"""

EMOJI = {
    "joy 0.75": "😍 🥰 😻 🤩 🥳 🎉 🎊 😂 🤣 💖 💗 💕 💞 💘 💝 🏆 👏 🙌 😆 😁 🎂",
    "joy 0.6": (
        "😀 😃 😄 😊 ☺ 🙂 😇 😋 😎 😘 😗 😙 😚 🤗 😹 😸 😺 😉 😌 👍 👌 💪 ❤ ♥ ♡ 🧡 💛 💚 💙 💜 🤎 🤍 🖤 "
        "✨ 🌟 ⭐ 💯 🙏 🔥 🌈 🤭 🫶 🍀 ✌ ☀"
    ),
    "sadness 0.7": "😢 😭 😞 😔 😿 💔 🥺 ☹ 🙁 😥 😓 🥲 😩 😫 😖 😣 🕯",
    "anger 0.8": "😠 😡 🤬 💢 👿 🖕 😤",
    "anger 0.4": "🙄 😒 👎 😑 😾",
    "fear 0.75": "😨 😱 😧 👻 💀 ☠ 🙀",
    "disgust 0.8": "🤢 🤮 💩",
    "anxiety 0.65": "😰 😟 😬 😕 🫣 🫠 😳 😦",
    "ennui 0.7": "🥱 😴 😪 😐 😶 💤",
}
EMOTICONS = {
    "joy 0.6": r":-?[)DP]+|=\)|;-?\)|<3|[xX]D+\b|\^[-_.oO]?\^",
    "sadness 0.6": r":'-?\(+|:-?\(+|T[_.]T|;[_.];|=\(",
    "anger 0.5": r">:-?\(|ㅡ[_.]?ㅡ|-[_.]-|ㅗㅗ+",
    "anxiety 0.45": r":-?/(?!/)",
    "anxiety 0.3": r";;+",
    "fear 0.5": r"ㅎ?ㄷㄷ+",
    "anger 0.2": r"\?\?+|!\?|\?!",
}
SOFT = {
    "joy 0.45": r"ㅋㅋ+|ㅎㅎ+|하하+|히히+|헤헤+|호호+|kkk+\b",
    "sadness 0.45": r"[ㅠㅜ]+[.,_]?[ㅠㅜ]*|흑흑+|엉엉",
    "sadness 0.15": r"\.\.+",
}
# Every emoticon and soft sign begins with one of these.
BEGINNINGS = r":=;<>^xXT\-ㅡㅗㅎㄷㅋ하히헤호kㅠㅜ흑엉.?!"
