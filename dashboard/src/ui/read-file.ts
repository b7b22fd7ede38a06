/** A file of memories, read before anything is stored: what is in it, and what is not. */

export type Memories =
  | { readonly kind: "records"; readonly records: readonly Readonly<Record<string, unknown>>[]; readonly bad: number; readonly sample: readonly string[] }
  | { readonly kind: "texts"; readonly texts: readonly string[]; readonly bad: number; readonly sample: readonly string[] };

export type Reading = Memories | { readonly kind: "nothing" } | { readonly kind: "binary" };

/** Larger files are for the command line, which reads them from the disk. */
export const MOST_BYTES = 10 * 1024 * 1024;
const SAMPLE = 3;
const SHORTEST = 2;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && typeof value.id === "string" && typeof value.content === "string";

/** The words of an entry of another program's export, under the names that are in use. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (!isObject(value)) return null;
  for (const name of ["content", "text", "memory", "fact", "note"]) if (typeof value[name] === "string") return value[name];
  return null;
}

/** JSON Lines of an export, a JSON array, or one memory a line. */
export function readMemories(text: string): Reading {
  if (text.slice(0, 4096).includes("\u0000")) return { kind: "binary" };
  const body = text.replace(/^\uFEFF/, "").trim();
  if (!body) return { kind: "nothing" };
  const whole = parsed(body);
  const list = Array.isArray(whole) ? whole : isObject(whole) && Array.isArray(whole.memories) ? (whole.memories as unknown[]) : null;
  if (list) return fromValues(list, 0);
  const lines = body.split("\n").filter((line) => line.trim());
  const values = lines.map(parsed);
  const objects = values.filter(isObject);
  if (objects.length * 2 >= lines.length) return fromValues(objects, lines.length - objects.length);
  const texts = lines.map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim()).filter((line) => line.length >= SHORTEST && !line.startsWith("#"));
  return texts.length ? { kind: "texts", texts, bad: 0, sample: texts.slice(0, SAMPLE) } : { kind: "nothing" };
}

function fromValues(values: readonly unknown[], unread: number): Reading {
  const records = values.filter(isRecord);
  if (records.length)
    return { kind: "records", records, bad: unread + values.length - records.length, sample: records.slice(0, SAMPLE).map(({ content }) => String(content)) };
  const texts = values.map(textOf).filter((each): each is string => each !== null && each.trim().length >= SHORTEST);
  return texts.length ? { kind: "texts", texts, bad: unread + values.length - texts.length, sample: texts.slice(0, SAMPLE) } : { kind: "nothing" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
