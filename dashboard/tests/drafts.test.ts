import { describe, expect, it } from "vitest";
import { readDraft } from "../src/ui/drafts.ts";

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
});
