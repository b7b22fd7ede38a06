/** The self: islands in their sea, beliefs, core memories, SOUL.md and what was imagined. */

import { explained, isAbort, type Memory, type Self } from "../../api/index.ts";
import { Known } from "../../api/known.ts";
import { fill, h } from "../../dom.ts";
import { said } from "../../i18n.ts";
import { button, empty, skeleton, tabs, viewHead } from "../../ui/index.ts";
import type { View } from "../../view.ts";
import { archipelago } from "./archipelago.ts";
import { imaginationPanel } from "./imagination.ts";
import { beliefCards, coreCards, islandCards, openIsland } from "./parts.ts";
import { proposeBelief, proposeCore, proposeIsland } from "./propose.ts";
import { soulPanel } from "./soul.ts";
import "./style.css";
import "./pages.css";
import { t } from "./texts.ts";

const TOUCHES_THE_SELF = /^(self_changed|island_changed|approved|promoted|noticed|backup_restored|reset)$/;
const MOST_CORE = 200;
const PARTS = ["beliefs", "islands", "cores", "soul", "imagination"] as const;
type Part = (typeof PARTS)[number];

export const view: View = {
  title: { en: "Self", ko: "자아" },
  async mount(container, context) {
    const { api, live, signal, toast, params } = context;
    fill(container, viewHead(said(view.title), t().about), skeleton());
    const known = new Known(api, signal);
    const load = async (): Promise<[Self, readonly Memory[]]> => {
      const [self, { memories }] = await Promise.all([
        api.call("self_show", {}, { signal }),
        api.call("memory_list", { where: { tier: "M0" }, limit: MOST_CORE }, { signal }),
      ]);
      known.learn(memories);
      return [self, memories];
    };
    let [self, core] = await load();
    let part: Part = PARTS.find((each) => each === params[0]) ?? "beliefs";
    let open: string | null = null;
    const sea = h("div", { class: "sea-room" });
    const below = h("div");
    const head = h("div");

    const propose = (label: string, id: string, doing: () => void, primary = false): HTMLButtonElement => {
      const made = button({ label, onclick: doing, ...(primary ? { kind: "primary" as const } : {}) });
      made.dataset.testid = id;
      return made;
    };
    const drawHead = (): void =>
      fill(
        head,
        viewHead(
          said(view.title),
          t().about,
          h(
            "div",
            { class: "row", role: "group", "aria-label": t().propose },
            h("span", { class: "faint small" }, `${t().propose}:`),
            propose(t().proposeCore, "propose-core", () => proposeCore(context)),
            propose(t().proposeIsland, "propose-island", () => proposeIsland(context, core)),
            propose(t().proposeBelief, "propose-belief", () => proposeBelief(context, self, core)),
          ),
        ),
      );
    const drawSea = (): void => {
      const focused = sea.contains(document.activeElement) ? ((document.activeElement as HTMLElement).dataset.id ?? "") : null;
      const island = self.islands.find(({ id }) => id === open);
      const close = (): void => {
        const was = open;
        open = null;
        drawSea();
        sea.querySelector<HTMLElement>(`[data-id="${was}"]`)?.focus();
      };
      fill(
        sea,
        self.islands.length
          ? [
              h("p", { class: "sea-version small faint" }, t().version(self.version)),
              archipelago(self.islands, self.beliefs, new Map(core.map((memory) => [memory.id, memory])), open, (id) => {
                open = open === id ? null : id;
                drawSea();
              }),
            ]
          : empty({ icon: "self", title: t().nobody, body: t().teach, action: propose(t().proposeFirst, "propose-first", () => proposeCore(context), true) }),
        island ? openIsland(island, self.beliefs, known, close) : null,
      );
      sea.classList.toggle("calm", self.islands.length > 0);
      if (focused !== null)
        (sea.querySelector<HTMLElement>(`[data-id="${focused}"]`) ?? sea.querySelector<HTMLElement>("button"))?.focus({ preventScroll: true });
    };
    const panels: Record<Part, () => HTMLElement> = {
      beliefs: () => beliefCards(self.beliefs, self.islands, known),
      islands: () => islandCards(self.islands, self.beliefs, known),
      cores: () => h("div", null, coreCards(core)),
      soul: () => soulPanel(context),
      imagination: () => imaginationPanel(context, known),
    };
    const drawBelow = (): void => {
      const focused = below.querySelector("[role=tablist]")?.contains(document.activeElement) ?? false;
      fill(
        below,
        tabs({
          label: t().parts,
          selected: part,
          tabs: PARTS.map((id) => ({ id, label: t()[id], panel: panels[id] })),
          onselect: (id) => {
            part = id as Part;
            history.replaceState(null, "", `#/self/${id}`);
          },
        }),
      );
      if (focused) below.querySelector<HTMLElement>("[aria-selected=true]")?.focus({ preventScroll: true });
    };
    const again = async (): Promise<void> => {
      try {
        const [next, memories] = await load();
        const same = JSON.stringify([next, memories.map(({ version }) => version)]) === JSON.stringify([self, core.map(({ version }) => version)]);
        [self, core] = [next, memories];
        if (same) return;
        drawSea();
        drawBelow();
      } catch (error) {
        if (!isAbort(error)) toast(explained(error), { kind: "bad" });
      }
    };

    drawHead();
    drawSea();
    drawBelow();
    fill(container, head, sea, below);
    live.onChanges((changes) => {
      for (const { type, id } of changes) if (id && /^(purged|updated|promoted|restored|forgotten)$/.test(type)) known.forget(id);
      const cores = new Set(core.map(({ id }) => id));
      if (changes.some(({ type, id }) => TOUCHES_THE_SELF.test(type) || (id !== null && cores.has(id) && type !== "recalled"))) void again();
    }, signal);
  },
};
