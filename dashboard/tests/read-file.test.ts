import { describe, expect, it } from "vitest";
import { readMemories } from "../src/ui/read-file.ts";

describe("a file of memories", () => {
  it("is an export, line by line", () => {
    const found = readMemories('{"id":"a","content":"Tea"}\n{"id":"b","content":"Coffee"}\nnot json\n');
    expect(found).toMatchObject({ kind: "records", bad: 1, sample: ["Tea", "Coffee"] });
  });

  it("is a list of another program", () => {
    expect(readMemories('[{"memory":"Tea"},{"nothing":1},"Coffee"]')).toMatchObject({ kind: "texts", texts: ["Tea", "Coffee"], bad: 1 });
    expect(readMemories('{"memories":[{"text":"Tea"}]}')).toMatchObject({ kind: "texts", texts: ["Tea"] });
  });

  it("is notes, a memory a line", () => {
    expect(readMemories("# Title\n- Tea\n2) 커피\n\n")).toMatchObject({ kind: "texts", texts: ["Tea", "커피"] });
  });

  it("is none", () => {
    expect(readMemories("\uFEFF  ")).toEqual({ kind: "nothing" });
    expect(readMemories('{"a":1}')).toEqual({ kind: "nothing" });
    expect(readMemories("PK\u0000\u0001")).toEqual({ kind: "binary" });
  });
});
