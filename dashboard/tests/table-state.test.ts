import { describe, expect, it } from "vitest";
import { addressOf, askOf, offered, sortedBy, stateOf, suggestions, withColumn, withFilter } from "../src/views/memories/state.ts";

const of = (query: string) => stateOf(new URLSearchParams(query));

describe("the state of the table", () => {
  it("goes into the address and back", () => {
    const state = of("sort=importance&dir=asc&page=3&about=sora&tier=M30&columns=zone,tier&open=abc");
    expect(of(addressOf(state).split("?")[1] ?? "")).toEqual(state);
    expect(addressOf(of(""))).toBe("memories");
  });

  it("leaves out what an address gets wrong", () => {
    expect(of("sort=nonsense&page=-2&columns=secret,zone&about=%20")).toMatchObject({ sort: "created", page: 1, columns: ["zone"], filters: {} });
    expect(of("page=1e9").page).toBe(1_000_000_000);
    expect(of("page=abc").page).toBe(1);
  });

  it("asks for the rows of its page", () => {
    expect(askOf(of("page=2&about=sora"))).toMatchObject({ about: "sora", first: 50, limit: 50, sort: "created", descending: true });
    expect(askOf(of("state=any")).states).toContain("cliff");
    expect(askOf(of("state=cliff&current=false"))).toMatchObject({ states: ["cliff"], current: false });
  });

  it("goes to the first page when a filter changes", () => {
    const state = withFilter(of("page=4&open=x"), "tier", "M90");
    expect(state).toMatchObject({ page: 1, open: null, filters: { tier: "M90" } });
    expect(withFilter(state, "tier", null).filters).toEqual({});
  });

  it("turns a column round when it is pressed again", () => {
    const state = sortedBy(of(""), "importance");
    expect([state.descending, sortedBy(state, "importance").descending]).toEqual([true, false]);
    expect(sortedBy(of(""), "leaving").descending).toBe(false);
  });

  it("keeps the columns in their order", () => {
    expect(withColumn(of("columns=tier"), "attribute", true).columns).toEqual(["attribute", "tier"]);
    expect(withColumn(of("columns=tier"), "tier", false).columns).toEqual([]);
  });

  it("suggests by letters, the most frequent first", () => {
    const all = [
      { field: "about", value: "sora", label: "About: Sora", count: 2 },
      { field: "tag", value: "sora-trip", label: "Tag: sora-trip", count: 9 },
      ...Array.from({ length: 9 }, (_, at) => ({ field: "zone" as const, value: String(at), label: `Zone: ${at}`, count: 1 })),
    ] as const;
    expect(suggestions(all, "SORA", 9).map(({ value }) => value)).toEqual(["sora-trip", "sora"]);
    expect(suggestions(all, "", 9).filter(({ field }) => field === "zone")).toHaveLength(3);
  });
});

describe("what the filter box offers", () => {
  const all = [
    { field: "about", value: "money", label: "About: money", count: 7 },
    { field: "attribute", value: "money", label: "Attribute: Money", count: 2 },
    { field: "tag", value: "money-box", label: "Tag: money-box", count: 9 },
  ] as const;
  const labels = (typed: string) => offered(all, typed, `contains ${typed}`, 9).map(({ label }) => label);

  it("begins with a value of just that name, else with the words", () => {
    expect(labels("money")).toEqual(["Attribute: Money", "About: money", "contains money", "Tag: money-box"]);
    expect(labels("mon")).toEqual(["contains mon", "Tag: money-box", "About: money", "Attribute: Money"]);
    expect(labels("tea")).toEqual(["contains tea"]);
    expect(labels("")).toEqual(["About: money", "Attribute: Money", "Tag: money-box"]);
  });
});
