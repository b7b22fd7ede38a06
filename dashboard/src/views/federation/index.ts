/** Learning together: a page of its own. */

import { fill } from "../../dom.ts";
import { said, texts } from "../../i18n.ts";
import { viewHead } from "../../ui/index.ts";
import type { View } from "../../view.ts";
import { together } from "./together.ts";
import "../settings/style.css";

const t = texts({
  en: { about: "Your memory can learn from others how to decide and rank. Only numbers travel; what you remember never leaves this machine." },
  ko: { about: "무엇을 남기고 어떻게 찾을지를 다른 사람들의 기억과 함께 배웁니다. 오가는 것은 수치뿐이고, 기억은 이 컴퓨터를 떠나지 않습니다." },
});

export const view: View = {
  title: { en: "Learning together", ko: "함께 배우기" },
  mount(container, context) {
    container.classList.add("settings");
    fill(container, viewHead(said(view.title), t().about), together(context, context.signal));
  },
};
