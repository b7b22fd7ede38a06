/** Settings: how the page looks, who may enter, what the engine works with, and where everything lies. */

import { said, texts } from "../../i18n.ts";
import { parts } from "../../ui/parts.ts";
import type { View } from "../../view.ts";
import { access } from "./access.ts";
import { data } from "./data.ts";
import { engine } from "./engine.ts";
import { general } from "./general.ts";
import { options } from "./options.ts";
import "./style.css";

const t = texts({
  en: {
    about: "How the engine runs, who may enter, and what is never stored.",
    parts: "Parts of the settings",
    general: "General",
    access: "Access",
    engine: "Engine",
    options: "All settings",
    data: "Data",
  },
  ko: {
    about: "엔진이 어떻게 동작하는지, 누가 들어올 수 있는지, 무엇을 저장하지 않는지 봅니다.",
    parts: "설정의 갈래",
    general: "일반",
    access: "접근",
    engine: "엔진",
    options: "모든 설정",
    data: "데이터",
  },
});

export const view: View = {
  title: { en: "Settings", ko: "설정" },
  mount(container, context) {
    parts(container, context, {
      name: "settings",
      title: said(view.title),
      about: t().about,
      label: t().parts,
      parts: {
        general: { label: t().general, panel: general },
        access: { label: t().access, panel: access },
        engine: { label: t().engine, panel: engine },
        options: { label: t().options, panel: options },
        data: { label: t().data, panel: data },
      },
    });
  },
};
