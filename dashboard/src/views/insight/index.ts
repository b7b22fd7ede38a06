/** Insight: the days in pictures, what was learned, the nights, and the ledger. */

import { fill } from "../../dom.ts";
import { said, texts } from "../../i18n.ts";
import { hashOf, placeOf } from "../../router.ts";
import { tabs, viewHead } from "../../ui/index.ts";
import type { View } from "../../view.ts";
import { learning } from "./learning.ts";
import { ledger } from "./ledger.ts";
import { overview } from "./overview.ts";
import { sleep } from "./sleep.ts";
import "./style.css";

const t = texts({
  en: { about: "How the memory grows, feels and learns, and all that ever happened to it.", parts: "Parts of Insight",
    overview: "Overview", learning: "Learning", sleep: "Sleep", ledger: "Ledger" },
  ko: { about: "기억이 어떻게 자라고, 무엇을 느끼고 배우는지, 그리고 지금까지 있었던 모든 일을 봅니다.", parts: "통찰의 갈래",
    overview: "한눈에", learning: "배움", sleep: "잠", ledger: "원장" },
});

const PARTS = { overview, learning, sleep, ledger } as const;
type Part = keyof typeof PARTS;

export const view: View = {
  title: { en: "Insight", ko: "통찰" },
  mount(container, context) {
    // A tab changes the address without mounting anew, so the address is the one that knows.
    const named = placeOf(location.hash).params[0] ?? "";
    const selected: Part = Object.hasOwn(PARTS, named) ? (named as Part) : "overview";
    container.classList.add("insight");
    let ending = new AbortController();
    const panel = (part: Part) => {
      ending.abort();
      ending = new AbortController();
      return PARTS[part](context, AbortSignal.any([context.signal, ending.signal]));
    };
    fill(container, viewHead(said(view.title), t().about), tabs({
      label: t().parts, selected,
      tabs: (Object.keys(PARTS) as Part[]).map((id) => ({ id, label: t()[id], panel: () => panel(id) })),
      onselect: (id) => history.replaceState(null, "", hashOf(`insight/${id}`)),
    }));
  },
};
