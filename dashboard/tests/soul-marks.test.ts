import { describe, expect, it } from "vitest";
import { markedSoul, plainSoul } from "../src/views/self/soul-marks.ts";

const PAGE = `# SOUL

<!-- celestial: the self, version 4. Your edits are read with \`celestial soul read\`. -->

## Personality Islands

### 🤝 Friendship <!-- is-1 aaaaaa -->
Why I am here
- Founded by: M0-1 ("Mina named me")
- Strength: 0.50
- Status: active

## Sense of Self

- Being honest keeps us close <!-- be-1 bbbbbb -->
  - Confidence: 0.70
  - Held up by: M0-1
- I like rain <!-- be-2 cccccc -->
  - Confidence: 0.60

## Core Memories

- M0-1: "Mina named me" <!-- m dddddd -->
`;

describe("SOUL.md to edit", () => {
  it("shows no marks and nothing that is measured", () => {
    const plain = plainSoul(PAGE);
    expect(plain).not.toMatch(/<!--|Strength|Confidence|Held up by/);
    expect(plain).toContain("- Being honest keeps us close\n- I like rain");
    expect(plain).toContain("### 🤝 Friendship\nWhy I am here");
  });

  it("gives every line its mark back when nothing was changed", () => {
    const marked = markedSoul(PAGE, plainSoul(PAGE));
    for (const line of PAGE.split("\n").filter((each) => /[0-9a-f]{6} -->/.test(each))) expect(marked).toContain(line);
    expect(marked).toContain("the self, version 4.");
  });

  it("keeps the mark of a line that was reworded, also beside a new one", () => {
    const edited = plainSoul(PAGE).replace("- Being honest keeps us close", "- I ask when I am not sure\n- Being honest keeps us very close");
    const marked = markedSoul(PAGE, edited);
    expect(marked).toContain("- Being honest keeps us very close <!-- be-1 bbbbbb -->");
    expect(marked).toMatch(/- I ask when I am not sure\n/);
    expect(marked).toContain("- I like rain <!-- be-2 cccccc -->");
  });

  it("takes the mark of a removed line out with it, and gives it to no line of another kind", () => {
    const edited = plainSoul(PAGE).replace("\n- I like rain", "").replace("### 🤝 Friendship\nWhy I am here", "### 🤝 Close friends\nWhy I am here");
    const marked = markedSoul(PAGE, edited);
    expect(marked).not.toContain("be-2");
    expect(marked).toContain("### 🤝 Close friends <!-- is-1 aaaaaa -->");
  });

  it("takes Windows line ends and hostile text as text", () => {
    const marked = markedSoul(PAGE, `${plainSoul(PAGE).replace(/\n/g, "\r\n")}\r\n<img src=x onerror=alert(1)>`);
    expect(marked).toContain("- I like rain <!-- be-2 cccccc -->");
    expect(marked).not.toContain("\r");
  });
});
