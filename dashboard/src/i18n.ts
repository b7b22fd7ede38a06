/** Two languages, chosen by the reader: texts that cannot lack one of them, and Intl for the rest. */

export type Language = "en" | "ko";

/** A text in both languages. */
export type Text = Readonly<Record<Language, string>>;

type Entry = string | ((...values: never[]) => string);
type Entries = Readonly<Record<string, Entry>>;
/** The Korean twin of English entries: every key, and functions of the same arguments. */
type Twin<English extends Entries> = {
  readonly [Key in keyof English]: English[Key] extends (...values: infer Values) => string ? (...values: Values) => string : string;
};

const KEPT = "celestial.language";
const listeners = new Set<() => void>();
let current: Language = kept() ?? (navigator.language.toLowerCase().startsWith("ko") ? "ko" : "en");

function kept(): Language | null {
  try {
    const found = localStorage.getItem(KEPT);
    return found === "en" || found === "ko" ? found : null;
  } catch {
    return null; // storage can be switched off
  }
}

export const language = (): Language => current;

export function setLanguage(next: Language): void {
  current = next;
  try {
    localStorage.setItem(KEPT, next);
  } catch {
    // it holds until the page is closed
  }
  document.documentElement.lang = next;
  for (const told of listeners) told();
}

export function onLanguage(told: () => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}

/** The texts of a view or component: `const t = texts({en: {...}, ko: {...}})`, then `t().key` in the language now. */
export function texts<const English extends Entries>(both: { en: English; ko: Twin<English> }): () => Twin<English> {
  return () => (current === "ko" ? both.ko : (both.en as unknown as Twin<English>));
}

export const said = (text: Text): string => text[current];

/** The Korean particle that suits the word before it, as in 5와 and 6과; both of them where nobody can know. */
export function particle(word: string, afterVowel: string, afterConsonant: string): string {
  const last = word.replace(/[^\p{L}\p{N}]+$/u, "").at(-1) ?? "";
  const syllable = last.charCodeAt(0) - 0xac00;
  const spoken = syllable >= 0 && syllable < 11_172 ? syllable % 28 : /\d/.test(last) ? DIGITS[Number(last)] : undefined;
  if (spoken === undefined) return afterConsonant === "으로" ? "(으)로" : `${afterConsonant}(${afterVowel})`;
  return spoken === 0 || (spoken === RIEUL && afterConsonant === "으로") ? afterVowel : afterConsonant;
}

const RIEUL = 8; // the final ㄹ, which 으로 takes for a vowel
const DIGITS = [21, RIEUL, 0, 16, 0, 0, 1, RIEUL, RIEUL, 0]; // the finals of 영 일 이 삼 사 오 육 칠 팔 구

const locale = (): string => (current === "ko" ? "ko-KR" : "en-GB");
const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>();

function format<Kind extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(name: string, make: (locale: string) => Kind): Kind {
  const key = `${locale()} ${name}`;
  const found = formats.get(key) ?? make(locale());
  formats.set(key, found);
  return found as Kind;
}

/** A moment as the API tells it (ISO text or seconds since 1970), or a Date. */
export type Moment = string | number | Date;

export const moment = (at: Moment): Date => (at instanceof Date ? at : new Date(typeof at === "number" ? at * 1000 : at));

export const date = (at: Moment): string => format("date", (where) => new Intl.DateTimeFormat(where, { dateStyle: "medium" })).format(moment(at));

export const dateTime = (at: Moment): string =>
  format("both", (where) => new Intl.DateTimeFormat(where, { dateStyle: "medium", timeStyle: "short" })).format(moment(at));

export const number = (value: number, digits = 0): string =>
  format(`number ${digits}`, (where) => new Intl.NumberFormat(where, { maximumFractionDigits: digits })).format(value);

export const percent = (share: number): string =>
  format("percent", (where) => new Intl.NumberFormat(where, { style: "percent", maximumFractionDigits: 0 })).format(share);

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

const NEARLY = 0.97; // ninety days are three months, and a year that has begun is no eleven months

/** "3 days ago", "in 2 hours": how far a moment is from now. */
export function fromNow(at: Moment, now: Date = new Date()): string {
  const seconds = (moment(at).getTime() - now.getTime()) / 1000;
  const relative = format("relative", (where) => new Intl.RelativeTimeFormat(where, { numeric: "auto" }));
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each * NEARLY) ?? ["second", 1];
  return unit === "second" ? relative.format(0, "second") : relative.format(Math.round(seconds / size), unit);
}

/** "3 days", "2 hours": how long something lasts, in its largest unit. */
export function duration(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return format(`unit ${unit}`, (where) => new Intl.NumberFormat(where, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 })).format(
    Math.trunc(seconds / size),
  );
}
