/** An empty memory: connect something, say something, see it arrive; or bring in what is there already. */

import { explained, isAbort, type Memory } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { language, texts } from "../../i18n.ts";
import { button, tabs } from "../../ui/index.ts";
import { copyButton } from "../../ui/copy.ts";
import { withCode } from "../../ui/code.ts";
import type { Context } from "../../view.ts";
import { dropZone } from "../../ui/drop.ts";

const t = texts({
  en: {
    connect: "Connect something",
    connectAbout: "These lines are for this very server.",
    clients: "What to connect",
    token: "A token comes from Settings, Access. `celestial serve` printed one too.",
    say: "Say something",
    sayAbout: "Tell your assistant something about you, or write it into the box above.",
    example: "My sister Sora moved to Porto in May, and I am allergic to peanuts.",
    arrive: "See it arrive",
    waiting: "Waiting. What is remembered appears here by itself.",
    arrived: "It arrived:",
    goOn: "Go on",
    bring: "Or bring in what you have",
    demo: "Or look around with made-up memories",
    demoAbout: "Some three hundred memories of two months of a made-up life. One press takes all of them out again, without a trace.",
    addDemo: "Add demo data",
  },
  ko: {
    connect: "연결하기",
    connectAbout: "바로 이 서버에 맞춘 명령입니다.",
    clients: "무엇을 연결할지",
    token: "토큰은 설정의 ‘접근’에서 만듭니다. `celestial serve`가 출력한 토큰도 쓸 수 있습니다.",
    say: "말해 보기",
    sayAbout: "쓰는 도구에 나에 관해 말하거나, 위의 칸에 적어 보세요.",
    example: "여동생 소라는 5월에 포르투로 이사했고, 나는 땅콩 알레르기가 있어.",
    arrive: "도착한 것 보기",
    waiting: "기다리는 중입니다. 기억이 생기면 여기에 바로 나타납니다.",
    arrived: "도착했습니다.",
    goOn: "계속하기",
    bring: "갖고 있던 것 가져오기",
    demo: "꾸며 낸 기억으로 둘러보기",
    demoAbout: "두 달 동안의 꾸며 낸 삶을 담은 기억 300개쯤입니다. 한 번만 누르면 흔적 없이 모두 빠집니다.",
    addDemo: "예시 데이터 넣기",
  },
});

/** The lines that connect a client to the server that this page came from. */
export function linesFor(origin: string): Readonly<Record<"claude" | "cursor" | "python" | "rest", string>> {
  return {
    claude: `claude mcp add --transport http celestial ${origin}/mcp --header "Authorization: Bearer cel_..."`,
    cursor: JSON.stringify({ mcpServers: { celestial: { url: `${origin}/mcp`, headers: { Authorization: "Bearer cel_..." } } } }, null, 2),
    python: `import httpx\n\nhttpx.post("${origin}/v1/turns",\n  headers={"Authorization": "Bearer cel_..."},\n  json={"content": "I am allergic to peanuts"})`,
    rest: `curl ${origin}/v1/turns -H "Authorization: Bearer cel_..." \\\n  -H "Content-Type: application/json" \\\n  -d '{"content": "I am allergic to peanuts"}'`,
  };
}

export function firstRun(context: Context, done: () => Promise<void>): HTMLElement {
  const lines = linesFor(location.origin);
  const copied = (text: string): HTMLElement => {
    const shown = h("pre", { tabindex: 0 }, text);
    return h(
      "div",
      { class: "first-line" },
      shown,
      copyButton(() => text, { from: () => shown }),
    );
  };
  const step = (number: number, title: string, ...body: (Node | string | null)[]): HTMLElement =>
    h(
      "section",
      { class: "panel first-step", "data-testid": `first-${number}` },
      h("h2", null, h("span", { class: "first-number", "aria-hidden": "true" }, number), title),
      body,
    );
  const clients = tabs({
    label: t().clients,
    tabs: [
      { id: "claude", label: "Claude Code", panel: () => copied(lines.claude) },
      { id: "cursor", label: "Cursor", panel: () => copied(lines.cursor) },
      { id: "python", label: "Python", panel: () => copied(lines.python) },
      { id: "rest", label: "REST", panel: () => copied(lines.rest) },
    ],
  });
  return h(
    "div",
    { class: "stack", "data-testid": "first-run" },
    h(
      "div",
      { class: "first" },
      step(1, t().connect, h("p", { class: "small soft" }, t().connectAbout), clients, h("p", { class: "small faint" }, withCode(t().token))),
      step(2, t().say, h("p", { class: "small soft" }, t().sayAbout), copied(t().example)),
      step(3, t().arrive, arriving(context, done)),
    ),
    h(
      "div",
      { class: "first" },
      h("section", { class: "panel first-step" }, h("h2", null, t().bring), dropZone(context, done)),
      h("section", { class: "panel first-step" }, h("h2", null, t().demo), h("p", { class: "soft" }, t().demoAbout), h("div", null, demoButton(context, done))),
    ),
  );
}

/** Watches for the first memory and shows it where the reader is looking. */
function arriving({ api, live, signal }: Context, done: () => Promise<void>): HTMLElement {
  const room = h("div", { role: "status", "data-testid": "first-arrived" }, h("p", { class: "soft" }, t().waiting));
  live.onChanges(
    (changes) => {
      const id = changes.find(({ type }) => type === "stored")?.id;
      if (!id || !room.isConnected) return;
      api.call("memory_get", { id }, { signal }).then(
        (memory: Memory) =>
          fill(
            room,
            h(
              "div",
              { class: "first-arrived stack" },
              h("strong", null, t().arrived),
              h("p", null, memory.content),
              h("div", null, button({ label: t().goOn, kind: "primary", small: true, onclick: done })),
            ),
          ),
        () => {},
      );
    },
    signal,
    200,
  );
  return room;
}

function demoButton({ api, toast }: Context, done: () => Promise<void>): HTMLElement {
  const add = button({
    label: t().addDemo,
    onclick: async () => {
      try {
        await api.call("demo_add", { language: language() });
        await done();
      } catch (error) {
        if (!isAbort(error)) toast(explained(error), { kind: "bad" });
      }
    },
  });
  add.dataset.testid = "today-demo-add";
  return add;
}
