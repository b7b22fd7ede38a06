/** How long a memory still has on the cliff. */

import type { Memory } from "../../api/index.ts";
import { duration, moment } from "../../i18n.ts";
import { t } from "./texts.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** As long as the engine lets a memory wait. */
export const STAY = 7 * DAY;

export const secondsLeft = (memory: Memory, now: number = Date.now()): number =>
  memory.purge_at === null ? 0 : Math.max(0, (moment(memory.purge_at).getTime() - now) / 1000);

export const shareLeft = (memory: Memory, now?: number): number => Math.min(1, secondsLeft(memory, now) / STAY);

/** "2 days 4 hours": the two largest units. */
export function spelled(seconds: number): string {
  const [large, small] = seconds >= DAY ? [DAY, HOUR] : seconds >= HOUR ? [HOUR, MINUTE] : [MINUTE, 0];
  const whole = Math.floor(seconds / large);
  const rest = small ? Math.floor((seconds % large) / small) : 0;
  return [duration(Math.max(1, whole) * large), rest ? duration(rest * small) : null].filter(Boolean).join(" ");
}

export const leftWord = (memory: Memory, now?: number): string => {
  const seconds = secondsLeft(memory, now);
  return seconds < 1 ? t().now : t().left(spelled(seconds));
};

export const byTimeLeft = (one: Memory, other: Memory): number => secondsLeft(one, 0) - secondsLeft(other, 0) || (one.id < other.id ? -1 : 1);
