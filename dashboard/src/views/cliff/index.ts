/** The cliff: what is about to vanish, how long it has, and the way back. */

import { explained, isAbort, type Memory } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { said } from "../../i18n.ts";
import { empty, linkButton, skeleton, viewHead } from "../../ui/index.ts";
import type { Context, View } from "../../view.ts";
import { Board } from "./board.ts";
import { DAY, secondsLeft } from "./left.ts";
import { picture } from "./picture.ts";
import { rescue } from "./rescue.ts";
import "./picture.css";
import "./style.css";
import { t } from "./texts.ts";

const A_PAGE = 500;
const MOST = 2000;
const TICK = 20_000;
const TOUCHES_THE_CLIFF = /^(forgotten|restored|purged|merged|superseded|undone|archived|unarchived|stored|backup_restored|reset)$/;

export const view: View = {
  title: { en: "The cliff", ko: "망각의 절벽" },
  async mount(container, context) {
    const { live, signal, toast, announce } = context;
    fill(container, viewHead(said(view.title), t().about), skeleton());
    const room = h("div", { class: "cliff-room" });
    const counts = h("p", { class: "cliff-counts small soft", "data-testid": "cliff-counts" });
    const rest = h("p", { class: "soft small", hidden: true });
    const board = new Board(async (ids) => {
      const back = await rescue(context, ids, () => void again());
      if (back.length) show(memories.filter(({ id }) => !back.includes(id)));
      else await again();
    });
    const drawing = picture(room, (id) => board.focus(id), signal);
    room.append(drawing.element, counts);
    board.ondraw = () => drawing.draw(board.shown);
    const nothing = empty({ icon: "cliff", title: t().nothing, body: t().teach, action: linkButton({ label: t().seeOrbits, href: "#/orbits" }) });
    nothing.dataset.testid = "cliff-empty";
    let memories: readonly Memory[] = [];

    const show = (found: readonly Memory[], more = false): void => {
      const hadFocus = board.element.contains(document.activeElement);
      memories = found;
      const soon = found.filter((memory) => secondsLeft(memory) < DAY).length;
      counts.textContent = [t().onCliff(found.length), soon ? t().soon(soon) : null].filter(Boolean).join(" · ");
      rest.hidden = !more;
      rest.textContent = t().tooMany(found.length);
      for (const part of [room, board.element, rest]) part.toggleAttribute("hidden", found.length === 0 || (part === rest && !more));
      nothing.hidden = found.length > 0;
      board.set(found);
      if (hadFocus && !found.length) nothing.querySelector<HTMLElement>("a")?.focus();
    };
    const again = async (): Promise<void> => {
      try {
        const { found, more } = await all(context);
        const here = new Set(found.map(({ id }) => id));
        const left = memories.filter(({ id }) => !here.has(id)).length;
        show(found, more);
        if (left) announce(t().removed(left));
      } catch (error) {
        if (!isAbort(error)) toast(explained(error), { kind: "bad" });
      }
    };

    const { found, more } = await all(context);
    fill(container, viewHead(said(view.title), t().about), room, board.element, rest, nothing);
    show(found, more);
    live.onChanges((changes) => {
      if (changes.some(({ type }) => TOUCHES_THE_CLIFF.test(type))) void again();
    }, signal);
    const ticking = window.setInterval(() => {
      board.tick();
      drawing.draw(board.shown);
      if (memories.some((memory) => secondsLeft(memory) < 1)) void again();
    }, TICK);
    return () => window.clearInterval(ticking);
  },
};

async function all({ api, signal }: Context): Promise<{ found: Memory[]; more: boolean }> {
  const found: Memory[] = [];
  for await (const page of api.pages("cliff_list", { limit: A_PAGE }, { signal })) {
    found.push(...page.memories);
    if (found.length >= MOST && page.next !== null) return { found, more: true };
  }
  return { found, more: false };
}
