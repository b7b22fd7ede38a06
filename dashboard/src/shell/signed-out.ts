import { fill, h, type Child } from "../dom.ts";
import { language, setLanguage } from "../i18n.ts";
import { button } from "../ui/button.ts";
import { emblem } from "../ui/icons.ts";
import { t } from "./texts.ts";

/** The page without a session, or without a server: what to do about it. */
export function showOutside(root: Element, why: "signed-out" | "unreachable"): void {
  const again = (): void => showOutside(root, why);
  const reload = (label: string) => button({ label, kind: "primary", onclick: () => location.reload() });
  const other = button({
    label: t().language,
    kind: "quiet",
    onclick: () => {
      setLanguage(language() === "ko" ? "en" : "ko");
      again();
    },
  });
  const told: Child =
    why === "signed-out"
      ? [
          h("h1", null, t().signedOut),
          h("p", { class: "soft" }, t().link),
          h("p", null, h("code", null, "celestial dashboard")),
          h("p", { class: "soft" }, t().once),
          h("div", { class: "row" }, reload(t().reload), other),
        ]
      : [
          h("h1", null, t().noServer),
          h("p", { class: "soft" }, t().start),
          h("p", null, h("code", null, "celestial serve")),
          h("div", { class: "row" }, reload(t().reload), other),
        ];
  fill(root, h("main", { class: "signed-out" }, h("div", null, emblem(), told)));
  document.title = `${why === "signed-out" ? t().signedOut : t().noServer} · ${t().brand}`;
}
