/** Memories out into a file and in from one, with how far it is and a way to stop. */

import { explained } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { number, percent, texts } from "../../i18n.ts";
import { button, progress } from "../../ui/index.ts";
import { withCode } from "../../ui/code.ts";
import { fileInput } from "../../ui/file-input.ts";
import type { Context } from "../../view.ts";
import { bringIn, type Skipped } from "./bring-in.ts";
import { saveFile } from "../../ui/save-file.ts";
import { takeOut } from "./take-out.ts";
import { action, section } from "./section.ts";

const t = texts({
  en: {
    title: "Export and import",
    about: "Every memory with every field, a line of JSON each: what one engine exports, another imports.",
    export: "Export",
    exporting: (done: string, of: string) => `${done} of ${of} memories`,
    exported: (count: string, name: string) => `${count} memories are in ${name}.`,
    file: "File to import",
    hint: "An export of this engine (JSONL). A JSON list or a text file can be dropped on any page; for other formats there is `celestial import FILE`.",
    import: "Import",
    importing: (share: string, added: string, known: string) => `${share} read: ${added} came in, ${known} were here already`,
    imported: (added: string, known: string) => `${added} memories came in; ${known} were here already.`,
    skipped: (count: string) => `${count} lines were passed over:`,
    line: (value: string) => `line ${value}`,
    more: (count: string) => `and ${count} more`,
    notJson: "this is not JSON",
    notRecord: "this is no record",
    cancel: "Cancel",
    cancelled: "Stopped. What came in before stays.",
    exportCancelled: "Stopped. Nothing was saved.",
    choose: "Choose a file first.",
    noApprove: "Importing needs the approve scope, which this session does not have.",
    other: "Not a line of this file is a record of an export. For other formats use `celestial import FILE`.",
  },
  ko: {
    title: "내보내기와 가져오기",
    about: "모든 기억을 모든 항목과 함께 한 줄에 하나씩 JSON으로 담습니다. 한 엔진에서 내보낸 것을 다른 엔진에서 가져올 수 있습니다.",
    export: "내보내기",
    exporting: (done: string, of: string) => `기억 ${of}개 가운데 ${done}개`,
    exported: (count: string, name: string) => `기억 ${count}개를 ${name}에 담았습니다.`,
    file: "가져올 파일",
    hint: "이 엔진에서 내보낸 JSONL 파일입니다. JSON 목록이나 텍스트 파일은 아무 화면에나 끌어다 놓으면 되고, 다른 형식은 `celestial import FILE`로 가져오세요.",
    import: "가져오기",
    importing: (share: string, added: string, known: string) => `${share} 읽음: ${added}개 들어옴, ${known}개는 이미 있음`,
    imported: (added: string, known: string) => `기억 ${added}개가 들어왔고 ${known}개는 이미 있었습니다.`,
    skipped: (count: string) => `${count}줄을 건너뛰었습니다.`,
    line: (value: string) => `${value}번째 줄`,
    more: (count: string) => `그 밖에 ${count}줄`,
    notJson: "JSON이 아닙니다",
    notRecord: "기억의 기록이 아닙니다",
    cancel: "멈추기",
    cancelled: "멈췄습니다. 그전에 들어온 것은 남습니다.",
    exportCancelled: "멈췄습니다. 저장한 것은 없습니다.",
    choose: "먼저 파일을 고르세요.",
    noApprove: "가져오려면 approve 권한이 필요합니다.",
    other: "이 파일에는 내보낸 기록이 한 줄도 없습니다. 다른 형식은 `celestial import FILE`로 가져오세요.",
  },
});

const SHOWN = 8;

export function moving(context: Context, signal: AbortSignal): HTMLElement {
  return section(
    "settings-moving",
    t().title,
    t().about,
    exporting(context, signal),
    context.session.scopes.includes("approve") ? importing(context, signal) : h("p", { class: "faint" }, t().noApprove),
  );
}

interface Run {
  readonly signal: AbortSignal;
  set(share: number, words: string): void;
}

/** One at a time, with a bar, its words and a button that stops it; `doing` tells what became of it. */
function running(
  testid: string,
  signal: AbortSignal,
): { element: HTMLElement; run(doing: (run: Run) => Promise<HTMLElement>, stopped: () => HTMLElement): Promise<void> } {
  const element = h("div", { class: "stack tight", "data-testid": testid });
  return {
    element,
    async run(doing, stopped) {
      const ending = new AbortController();
      const bar = progress({ label: t().title, share: 0 });
      const words = h("span", { class: "small soft" });
      const stop = button({ label: t().cancel, small: true, kind: "quiet", onclick: () => ending.abort() });
      stop.dataset.testid = `${testid}-cancel`;
      fill(element, bar.element, h("div", { class: "row spread" }, words, stop));
      try {
        const told = await doing({
          signal: AbortSignal.any([signal, ending.signal]),
          set: (share, said) => {
            bar.set(share);
            words.textContent = said;
          },
        });
        fill(element, h("div", { class: "stack tight", role: "status" }, told));
      } catch (error) {
        if (signal.aborted) return;
        fill(element, h("div", { role: "status" }, ending.signal.aborted ? stopped() : h("p", { class: "bad" }, explained(error))));
      }
    },
  };
}

function exporting({ api }: Context, signal: AbortSignal): HTMLElement {
  const place = running("export-progress", signal);
  const go = action("export", {
    label: t().export,
    kind: "primary",
    onclick: () =>
      place.run(
        async (run) => {
          const { count, file } = await takeOut(api, run.signal, (done, of) =>
            run.set(of ? done / of : 1, t().exporting(number(done), number(Math.max(of, done)))),
          );
          const name = `celestial-${new Date().toISOString().slice(0, 10)}.jsonl`;
          saveFile(file, name);
          return h("p", { class: "good" }, t().exported(number(count), name));
        },
        () => h("p", { class: "soft" }, t().exportCancelled),
      ),
  });
  return h("div", { class: "stack tight" }, h("div", null, go), place.element);
}

function importing({ api }: Context, signal: AbortSignal): HTMLElement {
  const place = running("import-progress", signal);
  const chosen = fileInput(".jsonl,.ndjson,.json,.txt", { "aria-label": t().file, "data-testid": "import-file" });
  const go = action("import", {
    label: t().import,
    onclick: () => {
      const [file] = chosen.control.files ?? [];
      if (!file) return fill(place.element, h("p", { class: "warn", role: "status" }, t().choose));
      let so = { added: 0, known: 0 };
      return place.run(
        async (run) => {
          const done = await bringIn(api, file, run.signal, (now) => {
            so = now;
            run.set(now.share, t().importing(percent(now.share), number(now.added), number(now.known)));
          });
          if (!done.added && !done.known && done.skipped.length && done.skipped.every(({ why }) => why === "not_json"))
            return h("p", { class: "warn" }, withCode(t().other));
          return h("div", { class: "stack tight" }, h("p", { class: "good" }, t().imported(number(done.added), number(done.known))), passedOver(done.skipped));
        },
        () => h("p", { class: "soft" }, t().cancelled, " ", t().imported(number(so.added), number(so.known))),
      );
    },
  });
  return h(
    "div",
    { class: "stack tight import" },
    h("div", { class: "field" }, h("strong", null, t().file), chosen.element, h("p", { class: "hint" }, withCode(t().hint))),
    h("div", null, go),
    place.element,
  );
}

function passedOver(skipped: readonly Skipped[]): HTMLElement | null {
  if (!skipped.length) return null;
  const why = ({ why: reason }: Skipped): string => (reason === "not_json" ? t().notJson : reason === "not_record" ? t().notRecord : explained(reason));
  return h(
    "div",
    { class: "stack tight", "data-testid": "import-skipped" },
    h("p", { class: "warn" }, t().skipped(number(skipped.length))),
    h(
      "ul",
      { class: "problems small" },
      skipped.slice(0, SHOWN).map((each) => h("li", null, withCode(`${t().line(number(each.line))}: ${why(each)}`))),
      skipped.length > SHOWN ? h("li", { class: "faint" }, t().more(number(skipped.length - SHOWN))) : null,
    ),
  );
}
