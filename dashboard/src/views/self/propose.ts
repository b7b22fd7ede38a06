/** Forms that make proposals: a core memory, an island, a belief. Nothing changes before the user approves it. */

import { explained, type Memory, type Proposal, type Self } from "../../api/index.ts";
import { h } from "../../dom.ts";
import { texts } from "../../i18n.ts";
import { button, dialog, field, input, select } from "../../ui/index.ts";
import { islandTitle } from "../../ui/self-words.ts";
import type { Context } from "../../view.ts";
import { picker } from "./picker.ts";
import { t as words } from "./texts.ts";

const t = texts({
  en: {
    core: "Propose a core memory",
    coreHint: "Kept for good. Choose one that says who somebody is.",
    which: "Which memory",
    island: "Propose an island",
    name: "Name of the trait",
    nameHint: "Short, such as “Curiosity”.",
    emoji: "Sign",
    description: "What it means, in one sentence",
    founders: "Core memories it stands on",
    belief: "Propose a belief",
    statement: "One sentence",
    statementHint: "Such as “I may make mistakes and still be fine.”",
    supports: "Memories that hold it up",
    supportsHint: "Only those kept for a year or for good.",
    home: "Island",
    noHome: "none",
    propose: "Propose",
    cancel: "Cancel",
    note: "It becomes a proposal. Nothing changes before you approve it.",
  },
  ko: {
    core: "코어 메모리 제안",
    coreHint: "영구히 간직됩니다. 누구인지를 말해 주는 기억을 고르세요.",
    which: "어떤 기억인가요",
    island: "섬 제안",
    name: "성격의 이름",
    nameHint: "‘호기심’처럼 짧게.",
    emoji: "표시",
    description: "한 문장으로 적은 뜻",
    founders: "딛고 설 코어 메모리",
    belief: "믿음 제안",
    statement: "한 문장",
    statementHint: "‘나는 실수해도 괜찮은 존재다’처럼.",
    supports: "뒷받침하는 기억",
    supportsHint: "1년 또는 영구히 간직되는 기억만 됩니다.",
    home: "섬",
    noHome: "없음",
    propose: "제안",
    cancel: "취소",
    note: "제안으로 올라갑니다. 승인하기 전에는 아무것도 바뀌지 않습니다.",
  },
});

const SHOWN = 30;
const LASTING = 200;

const fitting = (memories: readonly Memory[], text: string): Memory[] =>
  memories.filter(({ content }) => content.toLowerCase().includes(text.toLowerCase())).slice(0, SHOWN);

/** A dialog with fields; its button wakes when there is enough to propose. */
function form(
  context: Context,
  draft: string,
  title: string,
  make: (changed: () => void) => { body: HTMLElement[]; ready: () => boolean; send: () => Promise<Proposal> },
): void {
  const submit = button({ label: t().propose, kind: "primary", disabled: true, onclick: () => sent() });
  submit.dataset.testid = "propose-submit";
  const { body, ready, send } = make(() => {
    submit.disabled = !ready();
  });
  const fault = h("p", { class: "form-fault", role: "alert" });
  const sent = async (): Promise<void> => {
    try {
      const proposal = await send();
      asked.close();
      context.toast(words().proposed, { kind: "good" });
      context.navigate(`approvals/${encodeURIComponent(proposal.id)}`);
    } catch (error) {
      fault.textContent = explained(error);
    }
  };
  const asked = dialog({
    title,
    wide: true,
    signal: context.signal,
    draft: `self.${draft}`,
    body: h("div", { class: "stack", "data-testid": "propose-form" }, body, h("p", { class: "faint small" }, t().note), fault),
    actions: [button({ label: t().cancel, kind: "quiet", onclick: () => asked.close() }), submit],
  });
  asked.element.querySelector<HTMLElement>(".body input")?.focus();
}

export function proposeCore(context: Context): void {
  const { api, signal } = context;
  form(context, "core", t().core, (changed) => {
    const load = async (text: string): Promise<readonly Memory[]> => {
      const found = text
        ? (await api.call("memory_search", { query: text, limit: SHOWN, reinforce: false }, { signal })).hits.map(({ memory }) => memory)
        : (await api.call("memory_list", { where: { tier: "M365" }, limit: SHOWN }, { signal })).memories;
      return found.filter(({ tier }) => tier !== "M0");
    };
    const which = picker({ label: t().which, many: false, load, onchange: changed });
    return {
      body: [h("p", { class: "soft" }, t().coreHint), which.element],
      ready: () => which.chosen().length === 1,
      send: () => api.call("propose_core", { id: which.chosen()[0] ?? "" }),
    };
  });
}

export function proposeIsland(context: Context, core: readonly Memory[]): void {
  form(context, "island", t().island, (changed) => {
    const name = input({ maxlength: 60, oninput: changed, required: true });
    const emoji = input({ maxlength: 8, size: 4 });
    const description = input({ maxlength: 300 });
    const founders = picker({ label: t().founders, many: true, load: (text) => Promise.resolve(fitting(core, text)), onchange: changed });
    return {
      body: [
        field({ label: t().name, control: name, hint: t().nameHint }),
        field({ label: t().emoji, control: emoji }),
        field({ label: t().description, control: description }),
        founders.element,
      ],
      ready: () => name.value.trim() !== "" && founders.chosen().length > 0,
      send: () =>
        context.api.call("propose_island", {
          name: name.value.trim(),
          emoji: emoji.value.trim(),
          description: description.value.trim(),
          founders: founders.chosen(),
        }),
    };
  });
}

export function proposeBelief(context: Context, self: Self, core: readonly Memory[]): void {
  const { api, signal } = context;
  const lasting = api.call("memory_list", { where: { tier: "M365" }, limit: LASTING }, { signal }).then(({ memories }) => [...core, ...memories]);
  form(context, "belief", t().belief, (changed) => {
    const statement = input({ maxlength: 200, oninput: changed, required: true });
    const supports = picker({ label: t().supports, hint: t().supportsHint, many: true, load: async (text) => fitting(await lasting, text), onchange: changed });
    const home = select({ options: [["", t().noHome], ...self.islands.map((island) => [island.id, islandTitle(island)] as const)], selected: "" });
    return {
      body: [field({ label: t().statement, control: statement, hint: t().statementHint }), field({ label: t().home, control: home }), supports.element],
      ready: () => statement.value.trim() !== "" && supports.chosen().length > 0,
      send: () => api.call("propose_belief", { statement: statement.value.trim(), supports: supports.chosen(), island: home.value || null }),
    };
  });
}
