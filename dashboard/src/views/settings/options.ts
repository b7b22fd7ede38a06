/** Settings that can be set: what holds, who set it, and what waits for a restart. */

import { explained, isAbort, type Operations } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { texts } from "../../i18n.ts";
import { field, input, select, table, toggle } from "../../ui/index.ts";
import { cards } from "../../ui/cards.ts";
import { withCode } from "../../ui/code.ts";
import { refill } from "../../ui/refill.ts";
import type { Context } from "../../view.ts";
import { choiceName, hasWords, optionAbout, optionName, sectionWord } from "./option-words.ts";
import { action, into, section } from "./section.ts";

const t = texts({
  en: {
    about: "Written into the settings file of the machine, for everybody who uses this server.",
    waiting: (count: number) =>
      count === 1 ? "One change holds once the server is started again." : `${count} changes hold once the server is started again.`,
    none: "Everything is in force.",
    default: "default",
    file: "from the file",
    by: (name: string) => `set by \`${name}\``,
    option: "from the command line",
    back: "Default",
    backTo: (name: string) => `Back to the default: ${name}`,
    restart: "after a restart",
    now: "from the next command on",
    unset: "(not set)",
    on: "On",
    saved: (name: string) => `Saved: ${name}`,
    more: "Fine tuning",
    elsewhere: "Set at the machine",
    elsewhereAbout: "Files, addresses and keys cannot be changed from a browser, nor what a variable sets: use `celestial.toml` or the environment.",
    setting: "Setting",
    value: "Value",
    source: "Where it comes from",
    hidden: "(not shown)",
    noAdmin: "This needs the admin scope.",
  },
  ko: {
    about: "서버가 실행되는 컴퓨터의 설정 파일에 저장되며, 이 서버를 쓰는 모두에게 적용됩니다.",
    waiting: (count: number) => `바꾼 설정 ${count}개는 서버를 다시 시작하면 적용됩니다.`,
    none: "모든 설정이 적용되어 있습니다.",
    default: "기본값",
    file: "설정 파일",
    by: (name: string) => `\`${name}\` 변수`,
    option: "명령줄 옵션",
    back: "기본값으로",
    backTo: (name: string) => `기본값으로 되돌리기: ${name}`,
    restart: "다시 시작하면 적용",
    now: "다음 명령부터 적용",
    unset: "(정하지 않음)",
    on: "켜기",
    saved: (name: string) => `저장했습니다: ${name}`,
    more: "세부 조정",
    elsewhere: "서버 컴퓨터에서만 바꿀 수 있는 설정",
    elsewhereAbout: "파일 경로, 주소, 키는 브라우저에서 바꿀 수 없고, 환경 변수로 정한 값도 마찬가지입니다. `celestial.toml`이나 환경 변수에서 바꾸세요.",
    setting: "설정",
    value: "값",
    source: "출처",
    hidden: "(표시하지 않음)",
    noAdmin: "admin 권한이 필요합니다.",
  },
});

type Setting = Operations["setting_list"]["answer"]["settings"][number];

export function options({ api, session, toast }: Context, signal: AbortSignal): HTMLElement {
  const room = h("div", { class: "stack options side-by-side", "data-testid": "options" });
  if (!session.scopes.includes("admin")) return h("p", { class: "faint" }, t().noAdmin);

  const change = async (setting: Setting, value: string | null): Promise<void> => {
    const before = setting.source === "file" ? setting.value : null;
    const put = async (next: string | null): Promise<void> => {
      await api.call("setting_change", { key: setting.key, value: next }, { signal });
      await load();
    };
    try {
      await put(value);
      toast(t().saved(optionName(setting.key)), { undo: () => put(before) });
    } catch (error) {
      if (isAbort(error)) return;
      toast(explained(error), { kind: "bad" });
      await load();
    }
  };
  const load = async (): Promise<void> => {
    const { settings } = await api.call("setting_list", {}, { signal });
    if (!signal.aborted) refill(room, drawn(settings, change));
  };
  void into(room, signal, async () => drawn((await api.call("setting_list", {}, { signal })).settings, change));
  return room;
}

type Change = (setting: Setting, value: string | null) => Promise<void>;

function drawn(settings: readonly Setting[], change: Change): Child {
  const open = settings.filter(({ lock }) => lock === null);
  const waiting = settings.filter((each) => each.waiting).length;
  const named = open.filter(({ key }) => hasWords(key));
  const names = [...new Set(named.map(({ key }) => sectionWord(key)))];
  const groups = names.map((name) => [name, named.filter(({ key }) => sectionWord(key) === name)] as const);
  const fine = open.filter(({ key }) => !hasWords(key));
  return [
    h("p", { class: waiting ? "warn" : "soft", "data-testid": "options-waiting" }, waiting ? t().waiting(waiting) : t().none),
    h("p", { class: "small soft" }, t().about),
    groups.map(([name, members]) =>
      section(
        `options-${members[0]?.key.split(".")[0]}`,
        name,
        null,
        members.map((each) => row(each, change)),
      ),
    ),
    fine.length
      ? h(
          "details",
          { class: "panel", "data-testid": "options-fine" },
          h("summary", null, t().more),
          fine.map((each) => row(each, change)),
        )
      : null,
    section("options-locked", t().elsewhere, withCode(t().elsewhereAbout), lockedTable(settings.filter(({ lock }) => lock !== null))),
  ];
}

function row(setting: Setting, change: Change): HTMLElement {
  const { key, source } = setting;
  const name = optionName(key);
  const back = action(`option-default-${key}`, { label: t().back, small: true, kind: "quiet", onclick: () => change(setting, null) });
  back.setAttribute("aria-label", t().backTo(name));
  return h(
    "div",
    { class: "option", "data-testid": `option-${key}` },
    refocusable(key, control(setting, name, change)),
    h(
      "div",
      { class: "row small" },
      h("code", { class: "faint" }, key),
      h("span", { class: source === "default" ? "faint" : "soft", "data-testid": "option-source" }, withCode(sourceOf(setting))),
      h("span", { class: setting.waiting ? "warn" : "faint" }, setting.restart ? t().restart : t().now),
      source === "file" ? back : null,
    ),
  );
}

/** Saving draws everything again: the focus is to be where it was. */
function refocusable(key: string, made: HTMLElement): HTMLElement {
  for (const [at, each] of made.querySelectorAll<HTMLElement>("input, select").entries()) each.dataset.focus = `${key} ${at}`;
  return made;
}

function sourceOf({ source, by }: Setting): string {
  if (by) return t().by(by);
  return source === "file" ? t().file : source === "option" ? t().option : t().default;
}

function control(setting: Setting, name: string, change: Change): HTMLElement {
  const { key, kind, choices, value } = setting;
  const hint = optionAbout(key);
  if (kind === "list") return several(setting, name, change);
  if (choices.length === 2 && choices.includes("off")) {
    const on = choices.find((each) => each !== "off") as string;
    const made = toggle({ label: name, on: value === on, onchange: (next) => void change(setting, next ? on : "off") });
    return h("div", { class: "field" }, made, hint ? h("p", { class: "hint" }, hint) : null);
  }
  if (choices.length) {
    const listed = choices.map((each) => [each, choiceName(key, each)] as const);
    const unset = setting.default === null ? [["", t().unset] as const, ...listed] : listed;
    return field({ label: name, hint, control: select({ options: unset, selected: value ?? "", onchange: (next) => void change(setting, next || null) }) });
  }
  const numeric = kind === "whole" || kind === "number";
  const box = input({ value: value ?? "", inputmode: numeric ? "decimal" : "text", autocomplete: "off", spellcheck: "false", maxlength: 100 });
  box.addEventListener("change", () => void change(setting, box.value.trim() || null));
  return field({ label: name, hint, control: box });
}

function several(setting: Setting, name: string, change: Change): HTMLElement {
  const chosen = new Set((setting.value ?? "").split(","));
  const boxes = setting.choices.map((choice) => {
    const box = h("input", { type: "checkbox", value: choice, checked: chosen.has(choice) });
    box.addEventListener("change", () => {
      const picked = boxes.filter(([each]) => each.checked).map(([each]) => each.value);
      void change(setting, picked.join(",") || "none");
    });
    return [box, h("label", { class: "choice" }, box, choiceName(setting.key, choice))] as const;
  });
  return h(
    "fieldset",
    { class: "choices" },
    h("legend", null, name),
    h("p", { class: "hint" }, optionAbout(setting.key)),
    boxes.map(([, label]) => label),
  );
}

const lockedTable = (settings: readonly Setting[]): HTMLElement =>
  cards(
    table<Setting>({
      label: t().elsewhere,
      rows: settings,
      columns: [
        { title: t().setting, cell: ({ key }) => h("code", null, key) },
        {
          title: t().value,
          cell: ({ value, source }) => (value === null ? h("span", { class: "faint" }, source === "default" ? "–" : t().hidden) : h("code", null, value)),
        },
        { title: t().source, cell: (each) => withCode(sourceOf(each)) },
      ],
    }),
  );
