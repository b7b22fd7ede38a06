/** Whether the ledger is whole: its head, to be kept elsewhere, and a check of every entry. */

import { explained, isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { button, field, input } from "../../ui/index.ts";
import { copyButton } from "../../ui/copy.ts";
import type { Context } from "../../view.ts";

const t = texts({
  en: {
    title: "The chain",
    about:
      "Each owner has a chain: each entry holds a digest of the one before it, so nothing can be edited, removed or reordered unnoticed. Keep the head elsewhere to notice a cut tail.",
    head: "Head",
    none: "There is no entry yet.",
    verify: "Check all chains",
    verifyOne: "Check only this owner's",
    anchor: "Newest anchor over all owners",
    kept: "A head you kept",
    keptHint: "Optional: NUMBER:HASH. The check then also finds out whether the end was cut off.",
    whole: (entries: string) => `The chain is whole: ${entries} entries were checked.`,
    broken: (fault: string, owner: string) => `The chain${owner} is broken: ${fault}`,
    noAdmin: "Checking the chain needs the admin scope, which this session does not have.",
  },
  ko: {
    title: "사슬",
    about:
      "소유자마다 사슬이 하나씩 있습니다. 기록마다 앞 기록의 지문이 들어 있어, 고치거나 지우거나 순서를 바꾸면 드러납니다. 머리를 다른 곳에 적어 두면 끝이 잘린 것도 알 수 있습니다.",
    head: "머리",
    none: "아직 기록이 없습니다.",
    verify: "모든 사슬 확인",
    verifyOne: "이 소유자의 사슬만 확인",
    anchor: "모든 소유자를 아우르는 최신 앵커",
    kept: "적어 둔 머리",
    keptHint: "선택 사항입니다. 번호:지문 꼴로 넣으면 끝이 잘렸는지도 확인합니다.",
    whole: (entries: string) => `사슬이 온전합니다. 기록 ${entries}개를 확인했습니다.`,
    broken: (fault: string, owner: string) => `사슬${owner}이 끊어졌습니다: ${fault}`,
    noAdmin: "사슬을 확인하려면 admin 권한이 필요합니다.",
  },
});

export function chain({ api, live, session }: Context, signal: AbortSignal): HTMLElement {
  const section = h(
    "section",
    { class: "panel stack", "data-testid": "ledger-chain" },
    h("div", null, h("h2", null, t().title), h("p", { class: "small soft" }, t().about)),
  );
  if (!session.scopes.includes("admin")) {
    section.append(h("p", { class: "faint" }, t().noAdmin));
    return section;
  }
  let newest = "";
  const head = h("code", { class: "head", "data-testid": "ledger-head" });
  const copy = copyButton(() => newest);
  const anchor = h("code", { class: "head", "data-testid": "ledger-anchor" });
  const anchored = h("div", { class: "row", hidden: true }, h("span", { class: "soft" }, t().anchor), anchor);
  const result = h("p", { role: "status", "data-testid": "ledger-verified" });
  const kept = input({ spellcheck: "false", autocomplete: "off" });
  const load = async (): Promise<void> => {
    try {
      const heads = await api.call("ledger_head", {}, { signal });
      newest = heads.head ?? "";
      fill(anchor, heads.anchor ?? "");
      anchored.hidden = heads.anchor === null;
      fill(head, newest || t().none);
      copy.hidden = !newest;
    } catch (error) {
      if (!isAbort(error)) fill(head, explained(error));
    }
  };
  const verify = async (thisOwner: boolean): Promise<void> => {
    try {
      const told = await api.call("ledger_verify", { head: kept.value.trim() || null, this_owner: thisOwner }, { signal });
      const owner = told.damage?.owner ? ` (${told.damage.owner})` : "";
      result.className = told.ok ? "good" : "bad";
      fill(result, told.ok ? t().whole(number(told.entries)) : t().broken(told.fault ?? "", owner));
    } catch (error) {
      if (isAbort(error)) return;
      result.className = "bad";
      fill(result, explained(error));
    }
  };
  const check = button({ label: t().verify, kind: "primary", onclick: () => verify(false) });
  const checkOne = button({ label: t().verifyOne, onclick: () => verify(true) });
  check.dataset.testid = "ledger-verify";
  checkOne.dataset.testid = "ledger-verify-one";
  kept.dataset.testid = "ledger-kept-head";
  section.append(
    h("div", { class: "row" }, h("span", { class: "soft" }, t().head), head, copy),
    anchored,
    h("div", { class: "chain-check" }, field({ label: t().kept, control: kept, hint: t().keptHint }), check, checkOne),
    result,
  );
  live.onChanges(() => void load(), signal, 2000);
  void load();
  return section;
}
