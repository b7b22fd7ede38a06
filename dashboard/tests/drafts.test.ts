import { describe, expect, it } from "vitest";
import { readDraft, readSoulDraft } from "../src/ui/drafts.ts";

describe("a draft", () => {
  it("comes back as it was written", () => {
    const draft = { values: ["The bakery opens at eight.", "0.5"], base: "3", place: "#/memory/abc" };
    expect(readDraft(JSON.stringify(draft))).toEqual(draft);
  });

  it("leads nowhere but into this page", () => {
    for (const place of ["javascript:alert(1)", "https://example.org/", "//example.org", "#x"]) {
      expect(readDraft(JSON.stringify({ values: ["x"], base: "", place }))?.place).toBe("");
    }
  });

  it("is none where something else was kept", () => {
    expect([null, "", "{", "3", "null", '{"values":"x"}', '{"values":[1]}'].map(readDraft)).toEqual(Array.from({ length: 7 }, () => null));
  });

  it("of SOUL.md is read as an earlier version kept it", () => {
    const kept = JSON.stringify({ page: "I live in Porto.", text: "I live in Lisbon." });
    expect(readSoulDraft(kept)).toEqual({ values: ["I live in Lisbon."], base: "I live in Porto.", place: "#/self/soul" });
    expect(["", "{", "null", "[]", '{"page":1,"text":"x"}', '{"page":"x"}'].map(readSoulDraft)).toEqual(Array.from({ length: 6 }, () => null));
  });
});
