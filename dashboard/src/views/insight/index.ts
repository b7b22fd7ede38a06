/** Insight: the days in pictures, what was learned, the nights, and the ledger. */

import { said, texts } from "../../i18n.ts";
import { parts } from "../../ui/parts.ts";
import type { View } from "../../view.ts";
import { learning } from "./learning.ts";
import { ledger } from "./ledger.ts";
import { overview } from "./overview.ts";
import { sleep } from "./sleep.ts";
import { system } from "./system.ts";
import "./style.css";

const t = texts({
  en: {
    about: "How the memory grows, feels and learns, and all that ever happened to it.",
    parts: "Parts of Insight",
    overview: "Overview",
    learning: "Learning",
    sleep: "Sleep",
    ledger: "Ledger",
    system: "Size and speed",
  },
  ko: {
    about: "기억이 어떻게 자라고, 무엇을 느끼고 배우는지, 그리고 지금까지 있었던 모든 일을 봅니다.",
    parts: "통찰의 갈래",
    overview: "한눈에",
    learning: "배움",
    sleep: "잠",
    ledger: "원장",
    system: "크기와 속도",
  },
});

export const view: View = {
  title: { en: "Insight", ko: "통찰" },
  mount(container, context) {
    parts(container, context, {
      name: "insight",
      title: said(view.title),
      about: t().about,
      label: t().parts,
      parts: {
        overview: { label: t().overview, panel: overview },
        learning: { label: t().learning, panel: learning },
        sleep: { label: t().sleep, panel: sleep },
        ledger: { label: t().ledger, panel: ledger },
        system: { label: t().system, panel: system },
      },
    });
  },
};
