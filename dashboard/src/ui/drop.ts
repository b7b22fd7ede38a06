/** Import by dropping a file: first what would happen, then the import itself. */

import "./drop.css";
import { explained, isAbort } from "../api/index.ts";
import { fill, h } from "../dom.ts";
import { number, texts } from "../i18n.ts";
import { button, dialog, progress } from "./index.ts";
import { withCode } from "./code.ts";
import { fileInput } from "./file-input.ts";
import { MOST_BYTES, readMemories, type Memories } from "./read-file.ts";
import type { Context } from "../view.ts";

const t = texts({
  en: {
    title: "Import a file",
    drop: "Drop a file here, or choose one. Nothing is stored until you have seen what is in it.",
    choose: "File to import",
    hint: "An export of this engine (JSON Lines), a JSON list, or a text file with one memory per line.",
    records: (count: string) => `${count} memories of an export, with their times and lifetimes. Those that are here already are left alone.`,
    texts: (count: string) => `${count} texts; each becomes a memory.`,
    bad: (count: string) => `${count} entries cannot be read and are left out.`,
    bring: (count: string) => `Import ${count}`,
    cancel: "Not this file",
    done: (added: string, known: string) => `${added} memories came in, ${known} were here already.`,
    tooLarge: "This file is larger than 10 MB. `celestial import FILE` takes files of any size.",
    binary: "This is not a text file.",
    nothing: "There is no memory in this file.",
    several: "One file at a time, please.",
    noApprove: "Importing needs the approve scope, which this session does not have.",
  },
  ko: {
    title: "파일 가져오기",
    drop: "파일을 여기에 끌어다 놓거나 고르세요. 내용을 확인하기 전에는 아무것도 저장하지 않습니다.",
    choose: "가져올 파일",
    hint: "이 엔진에서 내보낸 파일(JSON Lines), JSON 목록, 또는 한 줄에 기억 하나씩 적은 텍스트 파일입니다.",
    records: (count: string) => `내보낸 기억 ${count}개입니다. 시각과 수명을 그대로 가져오고, 이미 있는 것은 그대로 둡니다.`,
    texts: (count: string) => `글 ${count}개이며, 하나하나가 기억이 됩니다.`,
    bad: (count: string) => `${count}개는 읽을 수 없어 빼놓습니다.`,
    bring: (count: string) => `${count}개 가져오기`,
    cancel: "이 파일은 아님",
    done: (added: string, known: string) => `기억 ${added}개를 가져왔고, ${known}개는 이미 있었습니다.`,
    tooLarge: "10MB보다 큰 파일입니다. `celestial import 파일`은 크기에 상관없이 가져옵니다.",
    binary: "텍스트 파일이 아닙니다.",
    nothing: "이 파일에는 기억이 없습니다.",
    several: "한 번에 파일 하나만 놓아 주세요.",
    noApprove: "가져오려면 approve 권한이 필요합니다.",
  },
});

const AT_ONCE = 100;

type Importing = Pick<Context, "api" | "session" | "signal">;

/** A file that was dropped on any view: the same plan first, in a dialog. */
export function dropDialog(context: Importing, files: FileList): void {
  dialog({ title: t().title, body: dropZone(context, async () => {}, files), wide: true, signal: context.signal });
}

export function dropZone(context: Importing, done: () => Promise<void>, dropped?: FileList): HTMLElement {
  const told = h("div", { class: "stack", role: "status", "data-testid": "drop-plan" });
  const say = (text: string): void => fill(told, h("p", { class: "warn" }, withCode(text)));
  const read = async (file: File): Promise<void> => {
    if (file.size > MOST_BYTES) return say(t().tooLarge);
    const found = readMemories(await file.text());
    if (found.kind === "binary" || found.kind === "nothing") return say(t()[found.kind]);
    if (found.kind === "records" && !context.session.scopes.includes("approve")) return say(t().noApprove);
    plan(found);
  };
  const take = (files: FileList | undefined): void => {
    if (files?.length === 1 && files[0]) void read(files[0]);
    else if (files?.length) say(t().several);
  };
  const plan = (found: Memories): void => {
    const count = number(found.kind === "records" ? found.records.length : found.texts.length);
    const go = button({ label: t().bring(count), kind: "primary", onclick: () => bring(found) });
    go.dataset.testid = "drop-import";
    fill(
      told,
      h("p", null, found.kind === "records" ? t().records(count) : t().texts(count)),
      found.bad ? h("p", { class: "warn" }, t().bad(number(found.bad))) : null,
      h(
        "ul",
        { class: "drop-sample small soft" },
        found.sample.map((each) => h("li", null, each)),
      ),
      h(
        "div",
        { class: "row" },
        go,
        button({
          label: t().cancel,
          kind: "quiet",
          onclick: () => {
            chosen.clear();
            fill(told);
          },
        }),
      ),
    );
  };
  const bring = async (found: Memories): Promise<void> => {
    const bar = progress({ label: t().choose, share: 0 });
    fill(told, bar.element);
    try {
      const counts = await send(found, context, bar.set);
      fill(told, h("p", { class: "good" }, t().done(number(counts.added), number(counts.known))));
      await done();
    } catch (error) {
      if (!isAbort(error)) say(explained(error));
    }
  };
  const chosen = fileInput(".jsonl,.ndjson,.json,.txt,.md", { "aria-label": t().choose, "data-testid": "drop-file" }, (file) => void read(file));
  const zone = h(
    "div",
    {
      class: "drop",
      "data-testid": "drop-zone",
      ondragover: (event) => {
        event.preventDefault();
        zone.classList.add("over");
      },
      ondragleave: () => zone.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault(); // by which the page knows that somebody took it
        zone.classList.remove("over");
        take(event.dataTransfer?.files);
      },
    },
    h("p", null, t().drop),
    chosen.element,
    h("p", { class: "small faint" }, t().hint),
    told,
  );
  take(dropped);
  return zone;
}

async function send(found: Memories, { api, signal }: Importing, told: (share: number) => void): Promise<{ added: number; known: number }> {
  let [added, known] = [0, 0];
  const all: readonly unknown[] = found.kind === "records" ? found.records : found.texts;
  for (let at = 0; at < all.length; at += AT_ONCE) {
    if (found.kind === "records") {
      const counts = await api.call("memory_import", { records: found.records.slice(at, at + AT_ONCE) }, { signal });
      added += counts.added;
      known += counts.known;
    } else {
      const { memories } = await api.call("memory_save_many", { contents: found.texts.slice(at, at + AT_ONCE), source: "import" }, { signal });
      added += memories.length;
    }
    told(Math.min(1, (at + AT_ONCE) / all.length));
  }
  return { added, known };
}
