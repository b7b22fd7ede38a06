/** Settings: how the page looks, who may enter, what the engine works with, and where everything lies. */

import { fill } from "../../dom.ts";
import { said, texts } from "../../i18n.ts";
import { hashOf, placeOf } from "../../router.ts";
import { tabs, viewHead } from "../../ui/index.ts";
import type { View } from "../../view.ts";
import { access } from "./access.ts";
import { data } from "./data.ts";
import { engine } from "./engine.ts";
import { general } from "./general.ts";
import "./style.css";

const t = texts({
  en: { about: "How the engine runs, who may enter, and what is never stored.", parts: "Parts of the settings",
    general: "General", access: "Access", engine: "Engine", data: "Data" },
  ko: { about: "엔진이 어떻게 동작하는지, 누가 들어올 수 있는지, 무엇을 저장하지 않는지 봅니다.", parts: "설정의 갈래",
    general: "일반", access: "접근", engine: "엔진", data: "데이터" },
});

const PARTS = { general, access, engine, data } as const;
type Part = keyof typeof PARTS;

export const view: View = {
  title: { en: "Settings", ko: "설정" },
  mount(container, context) {
    // A tab changes the address without mounting anew, so the address is the one that knows.
    const named = placeOf(location.hash).params[0] ?? "";
    const selected: Part = Object.hasOwn(PARTS, named) ? (named as Part) : "general";
    container.classList.add("settings");
    let ending = new AbortController();
    const panel = (part: Part) => {
      ending.abort();
      ending = new AbortController();
      return PARTS[part](context, AbortSignal.any([context.signal, ending.signal]));
    };
    fill(container, viewHead(said(view.title), t().about), tabs({
      label: t().parts, selected,
      tabs: (Object.keys(PARTS) as Part[]).map((id) => ({ id, label: t()[id], panel: () => panel(id) })),
      onselect: (id) => history.replaceState(null, "", hashOf(`settings/${id}`)),
    }));
  },
};
