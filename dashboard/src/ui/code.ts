import { h, type Child } from "../dom.ts";

/** A sentence in which `what stands between backticks` is a command. */
export const withCode = (text: string): Child[] => text.split("`").map((part, at) => (at % 2 ? h("code", null, part) : part));
