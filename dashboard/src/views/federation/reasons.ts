/** Why a message, or the update in it, was refused: in words. */

import { texts } from "../../i18n.ts";

const t = texts({
  en: {
    too_large: "too large",
    truncated: "cut short",
    garbage: "no message",
    version: "another version",
    unknown_field: "unknown field",
    unknown_peer: "unknown sender",
    not_for_us: "for somebody else",
    signature: "wrong signature",
    expired: "too old",
    from_the_future: "from the future",
    replayed: "sent before",
    rules: "other rules",
    wrong_shape: "another shape",
    not_finite: "not numbers",
    outlier: "far from the others",
    quarantined: "during quarantine",
    switched_off: "while switched off",
    unreachable: "did not answer",
    too_many: "too many at once",
    too_slow: "too slow",
  },
  ko: {
    too_large: "너무 큼",
    truncated: "잘림",
    garbage: "메시지가 아님",
    version: "다른 버전",
    unknown_field: "모르는 항목",
    unknown_peer: "모르는 상대",
    not_for_us: "남에게 온 것",
    signature: "서명이 틀림",
    expired: "너무 오래됨",
    from_the_future: "미래에서 옴",
    replayed: "이미 받은 것",
    rules: "규칙이 다름",
    wrong_shape: "모양이 다름",
    not_finite: "수가 아님",
    outlier: "남들과 동떨어짐",
    quarantined: "격리 중에 옴",
    switched_off: "꺼진 동안 옴",
    unreachable: "응답 없음",
    too_many: "한꺼번에 너무 많음",
    too_slow: "너무 느림",
  },
});

export type Reason = keyof ReturnType<typeof t>;

/** Returns the words for a reason; one that this page does not know is shown as it is. */
export const reasonOf = (reason: string): string => (Object.hasOwn(t(), reason) ? t()[reason as Reason] : reason);
