// Every colour token against every background, in both themes: 4.5:1 for text, 3:1 for the rest (WCAG 2.2 AA).
import { readFileSync } from "node:fs";

const css = readFileSync(new URL("../src/theme/tokens.css", import.meta.url), "utf8");
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [name, { light, dark }]),
);
const backgrounds = [...tokens.keys()].filter((name) => /^bg/.test(name));
const isText = (name) => /^(text|accent$|accent-strong|good|warn|bad$)/.test(name);
const isDecor = (name) => /^(bg|line$|on-)/.test(name);

const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const pairs = [
  ...[...tokens.keys()].filter((name) => !isDecor(name)).flatMap((name) => backgrounds.map((under) => [name, under, isText(name) ? 4.5 : 3])),
  ["on-accent", "accent-fill", 4.5], ["on-accent", "accent-strong", 4.5], ["on-bad", "bad-fill", 4.5],
];
const faults = pairs.flatMap(([over, under, least]) =>
  ["light", "dark"]
    .map((theme) => [theme, contrast(tokens.get(over)[theme], tokens.get(under)[theme])])
    .filter(([, found]) => found < least)
    .map(([theme, found]) => `${theme}: --${over} on --${under} is ${found.toFixed(2)}:1, at least ${least}:1 is needed`),
);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length ? 1 : 0;
