/** Days as this browser counts them. */

import { language, moment, type Moment } from "../../i18n.ts";

const HALF_A_DAY = 43_200;

/** Minutes by which local days are ahead of UTC. */
export const utcOffset = (): number => -new Date().getTimezoneOffset();

const written = (at: Moment, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language() === "ko" ? "ko-KR" : "en-GB", options).format(moment(at));

/** "3 Nov" of a day that begins then. */
export const shortDay = (start: number): string => written(start + HALF_A_DAY, { month: "short", day: "numeric" });

export const longDay = (start: number): string => written(start + HALF_A_DAY, { year: "numeric", month: "short", day: "numeric", weekday: "short" });

/** "2026-11-03", as a calendar wants it; noon, so that an hour of summer time changes no day. */
export function isoDay(start: number): string {
  const day = moment(start + HALF_A_DAY);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
