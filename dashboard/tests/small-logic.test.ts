import { describe, expect, it } from "vitest";
import type { DecidedTurn } from "../src/api/operations.ts";
import { matchedWords, pieces } from "../src/ui/matched.ts";
import { Selection } from "../src/ui/selection.ts";
import { byDay, counted, didOf } from "../src/views/conversations/days.ts";
import { cell } from "../src/views/memories/export.ts";
import { yearAhead } from "../src/views/insight/pace.ts";
import { bandsOf, ranked, sectorsOf } from "../src/views/orbits/geometry.ts";
import { read, visitAt } from "../src/views/today/since.ts";

describe("sectors of the sky", () => {
  it("fill the circle without overlapping, the larger group the wider, and leave out the empty ones", () => {
    const sectors = sectorsOf([
      { name: "Sora", count: 100 },
      { name: "nobody", count: 0 },
      { name: "others", count: 25 },
    ]);
    expect(sectors.map(({ name, group }) => [name, group])).toEqual([
      ["Sora", 0],
      ["others", 2],
    ]);
    const [first, second] = sectors;
    expect(first && second && first.to < second.from && second.to - first.from < 2 * Math.PI).toBe(true);
    expect(first && second && (first.to - first.from) / (second.to - second.from)).toBeCloseTo(2);
    expect(sectorsOf([])).toEqual([]);
  });
});

describe("how large a database will be", () => {
  it("is told from the pace, and not from nothing", () => {
    expect(yearAhead({ bytes: 1000, memories: 100, gained: 30, days: 30 })).toBe(1000 + 10 * 365);
    for (const odd of [{ memories: 0 }, { gained: 0 }, { gained: -5 }, { days: 0 }]) {
      expect(yearAhead({ bytes: 1000, memories: 100, gained: 30, days: 30, ...odd })).toBeNull();
    }
  });
});

describe("words of a question in a text", () => {
  it("are found by their stem, in both languages", () => {
    expect(matchedWords("My sister lives in Porto.", "Where does my sister live?")).toEqual(["sister", "lives"]);
    expect(matchedWords("a bun please, living on the edge", "Where does Sora live?")).toEqual(["living"]);
    expect(matchedWords("a long string", "Who is the king of strangers?")).toEqual([]);
    expect(matchedWords("소라는 부산에 산다", "소라가 사는 곳은?")).toEqual(["소라는"]);
    expect(matchedWords("부산에서 만났다", "부산으로 갈까?")).toEqual(["부산에서"]);
    expect(matchedWords("소라는 부산에 산다", "소라 어디 살아?")).toEqual(["소라는"]);
  });

  it("leave the text as it was", () => {
    const text = "<b>Tea</b> & tea; 차!";
    expect(
      pieces(text, "tea")
        .map(({ text: part }) => part)
        .join(""),
    ).toBe(text);
    expect(matchedWords("The cat is on the mat", "is the on")).toEqual([]);
  });
});

describe("a visit", () => {
  it("is the same for half an hour, and begins where the last one ended", () => {
    const hour = 3_600_000;
    const first = visitAt(null, 100 * hour);
    expect(visitAt(first, 100 * hour + 1000).since).toBe(first.since);
    expect(visitAt(first, 105 * hour).since).toBe(first.seen);
    expect([first.first, visitAt(first, 100 * hour + 1000).first, visitAt(first, 105 * hour).first]).toEqual([true, true, false]);
  });

  it("forgets what it cannot read", () => {
    expect([read(null), read("{"), read('{"since":"x"}')]).toEqual([null, null, null]);
  });
});

describe("a selection", () => {
  it("stretches from the last one", () => {
    let told = 0;
    const chosen = new Selection(() => (told += 1));
    const order = ["a", "b", "c", "d"];
    chosen.set("b", true, order);
    chosen.set("d", true, order, true);
    expect(chosen.ids.sort()).toEqual(["b", "c", "d"]);
    chosen.keep(new Set(["c"]));
    expect([chosen.ids, told]).toEqual([["c"], 3]);
  });
});

describe("a cell of a spreadsheet", () => {
  it("runs no formula and breaks no row", () => {
    expect(cell('=HYPERLINK("x")')).toBe('"\'=HYPERLINK(""x"")"');
    expect(cell("a\nb,c")).toBe('"a\nb,c"');
    expect([cell(-3), cell(null), cell(["a", "b"])]).toEqual(["-3", "", '"a, b"']);
  });
});

describe("the sky", () => {
  it("is filled by whoever is there", () => {
    const bands = bandsOf([0, 0, 11, 101, 189]);
    expect(bands.at(-1)?.outer).toBeCloseTo(1);
    const width = (at: number): number => (bands[at]?.outer ?? 0) - (bands[at]?.inner ?? 0);
    expect(width(4)).toBeGreaterThan(width(2));
    expect(width(0)).toBeLessThan(0.06);
    expect(bandsOf([0, 0, 0, 1, 190]).at(-1)?.inner).toBeLessThan(0.4); // sixty days: nearly all of them far out
  });

  it("has the higher rank nearer to the sun", () => {
    const band = { inner: 0.5, outer: 0.6 };
    const radii = Array.from({ length: 10 }, (_, rank) => ranked(rank, 10, ((rank * 7) % 10) / 10, band));
    expect([...radii].sort((one, other) => one - other)).toEqual(radii);
    expect(Math.max(...radii)).toBeLessThan(0.6);
  });
});

describe("turns", () => {
  const turn = (at: string, session_id: string | null, action: DecidedTurn["action"], fetched = 0): DecidedTurn => ({
    turn_id: at,
    at,
    session_id,
    action,
    reason: null,
    saved: null,
    fetched: Array.from({ length: fetched }, () => ({ id: "x", content: "x" })),
    signs: [],
    learned: false,
    reward: null,
    said: false,
  });

  it("are grouped by day and conversation, and counted", () => {
    const turns = [turn("2026-05-02T12:00:00Z", "b", "skip"), turn("2026-05-01T12:00:00Z", "a", "retrieve", 2), turn("2026-05-01T11:00:00Z", "a", "save")];
    expect(byDay(turns).map(({ talks }) => talks.map(({ session, turns: some }) => [session, some.length]))).toEqual([[["b", 1]], [["a", 2]]]);
    expect(counted(turns)).toEqual({ kept: 1, skipped: 1, fetched: 1 });
  });

  it("say what became of them, not only what was decided", () => {
    const did = (action: DecidedTurn["action"], fetched: number): string => didOf(turn("2026-05-01T12:00:00Z", "a", action, fetched));
    expect([did("save", 0), did("save", 1), did("skip", 0), did("skip", 1), did("retrieve", 1), did("retrieve", 0)]).toEqual([
      "save",
      "both",
      "skip",
      "retrieve",
      "retrieve",
      "asked",
    ]);
  });
});
