import { describe, expect, it } from "vitest";
import { placeOf } from "../src/router.ts";

describe("a place", () => {
  it("is read from the address, with a question that has question marks of its own", () => {
    const place = placeOf("#/ask?q=Where does Sora live?&tier=M30");
    expect([place.name, place.query.get("q"), place.query.get("tier")]).toEqual(["ask", "Where does Sora live?", "M30"]);
    expect(placeOf("#/people/AC%2FDC").params).toEqual(["AC/DC"]);
    expect(placeOf("#/memory/50%?x=1").params).toEqual(["50%"]);
  });

  it("is Today where the address names none, and never something else of that name", () => {
    for (const odd of ["", "#", "#/", "?", "#/constructor", "#/nonsense/x?y"]) expect(placeOf(odd).name).toBe("today");
  });
});
