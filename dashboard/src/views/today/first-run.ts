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
    token: "For `cel_...` put a token in: `celestial token create` makes one, and `celestial serve` printed one at its first start.",
    copyWithToken: "Copy with a new token",
    makes: "In place of `cel_...` they get a token that may read and write your memories.",
    made: (name: string) =>
      `This token may read and write your memories. It is shown here alone, and only until you leave; Settings, Access, lists it as “${name}” and revokes it.`,
    say: "Say something",
    sayAbout: "Tell your assistant something about you, or write it into the box above.",
    example: "My sister Sora moved to Porto in May, and I am allergic to peanuts.",
    arrive: "See it arrive",
    waiting: "Waiting. What is remembered appears here by itself.",
    arrived: "It arrived:",
    goOn: "Go on",
    bring: "Or bring in what you have",
    demo: "Or look around with made-up memories",
    demoAbout:
      "Some three hundred memories of two months of a made-up life. One press takes them out again, with whatever came of them; what you made your own stays.",
    addDemo: "Add demo data",
  },
  ko: {
    connect: "연결하기",
    connectAbout: "바로 이 서버에 맞춘 명령입니다.",
    clients: "무엇을 연결할지",
    token: "`cel_...` 자리에 토큰을 넣으세요. `celestial token create`로 만들거나, `celestial serve`를 처음 시작할 때 나온 것을 쓰면 됩니다.",
    copyWithToken: "새 토큰을 넣어 복사",
    makes: "복사하면 `cel_...` 자리에 기억을 읽고 쓸 수 있는 토큰이 들어갑니다.",
    made: (name: string) =>
      `기억을 읽고 쓸 수 있는 토큰입니다. 이 화면을 떠나면 다시 볼 수 없습니다. 설정의 ‘접근’에 ‘${name}’ 항목으로 나오고, 거기서 폐기할 수 있습니다.`,
    say: "말해 보기",
    sayAbout: "쓰는 도구에 나에 관해 말하거나, 위의 칸에 적어 보세요.",
    example: "여동생 소라는 5월에 포르투로 이사했고, 나는 땅콩 알레르기가 있어.",
    arrive: "도착한 것 보기",
    waiting: "기다리는 중입니다. 기억이 생기면 여기에 바로 나타납니다.",
    arrived: "도착했습니다.",
    goOn: "계속하기",
    bring: "갖고 있던 것 가져오기",
    demo: "꾸며 낸 기억으로 둘러보기",
    demoAbout: "두 달 동안의 꾸며 낸 삶을 담은 기억 300개쯤입니다. 한 번만 누르면 거기서 생긴 것까지 함께 빠지고, 그사이 내 것이 된 기억만 남습니다.",
    addDemo: "예시 데이터 넣기",
  },
});

type Client = "claude" | "cursor" | "python" | "rest";
const CLIENTS: Readonly<Record<Client, string>> = { claude: "Claude Code", cursor: "Cursor", python: "Python", rest: "REST" };
const PLACEHOLDER = "cel_...";

/** The lines that connect a client to the server that this page came from. */
export function linesFor(origin: string, token: string = PLACEHOLDER): Readonly<Record<Client, string>> {
  return {
    claude: `claude mcp add --transport http celestial ${origin}/mcp --header "Authorization: Bearer ${token}"`,
    cursor: JSON.stringify({ mcpServers: { celestial: { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${token}` } } } }, null, 2),
    python: `import httpx\n\nhttpx.post("${origin}/v1/turns",\n  headers={"Authorization": "Bearer ${token}"},\n  json={"content": "I am allergic to peanuts"})`,
    rest: `curl ${origin}/v1/turns -H "Authorization: Bearer ${token}" \\\n  -H "Content-Type: application/json" \\\n  -d '{"content": "I am allergic to peanuts"}'`,
  };
}

/** A first run, and what to tell it when a memory came. */
export interface FirstRun {
  readonly element: HTMLElement;
  readonly arrived: (memory: Memory) => void;
}

const copyable = (text: string): HTMLElement => {
  const shown = h("pre", { tabindex: 0 }, text);
  return h(
    "div",
    { class: "first-line" },
    shown,
    copyButton(() => text, { from: () => shown }),
  );
};

/** The lines of one client. Whoever may make tokens gets them with one in it, by the press that copies them. */
function connecting(client: Client, { api, session, signal }: Context): HTMLElement {
  const origin = location.origin;
  if (!session.scopes.includes("admin")) return h("div", { class: "stack" }, copyable(linesFor(origin)[client]), note(t().token));
  const shown = h("pre", { tabindex: 0, "data-testid": "first-lines" }, linesFor(origin)[client]);
  const told = h("div", { role: "status" }, note(t().makes));
  let token: Promise<string> | null = null; // one for these lines, however often they are copied
  const made = async (): Promise<string> => {
    const { secret } = await api.call("token_create", { name: CLIENTS[client], scopes: ["read", "write"] }, { signal });
    shown.textContent = linesFor(origin, secret)[client];
    fill(told, note(t().made(CLIENTS[client])));
    return secret;
  };
  const copying = copyButton(
    async () => {
      token ??= made();
      try {
        return linesFor(origin, await token)[client];
      } catch (error) {
        token = null;
        if (!isAbort(error)) fill(told, h("p", { class: "small warn" }, explained(error)));
        return null;
      }
    },
    { label: t().copyWithToken, from: () => shown },
  );
  copying.dataset.testid = "first-copy";
  return h("div", { class: "stack" }, h("div", { class: "first-line" }, shown, copying), told);
}

const note = (text: string): HTMLElement => h("p", { class: "small faint" }, withCode(text));

export function firstRun(context: Context, done: () => Promise<void>): FirstRun {
  const step = (number: number, title: string, ...body: (Node | string | null)[]): HTMLElement =>
    h(
      "section",
      { class: "panel first-step", "data-testid": `first-${number}` },
      h("h2", null, h("span", { class: "first-number", "aria-hidden": "true" }, number), title),
      body,
    );
  const panels = new Map<Client, HTMLElement>(); // looked at again, they keep the token that is in them
  const panel = (client: Client) => (): HTMLElement => {
    const known = panels.get(client) ?? connecting(client, context);
    panels.set(client, known);
    return known;
  };
  const clients = tabs({
    label: t().clients,
    tabs: (Object.keys(CLIENTS) as Client[]).map((client) => ({ id: client, label: CLIENTS[client], panel: panel(client) })),
  });
  const room = h("div", { role: "status", "data-testid": "first-arrived" }, h("p", { class: "soft" }, t().waiting));
  const arrived = (memory: Memory): void => {
    const goOn = button({ label: t().goOn, kind: "primary", small: true, onclick: done });
    goOn.dataset.testid = "first-go-on";
    fill(room, h("div", { class: "first-arrived stack" }, h("strong", null, t().arrived), h("p", null, memory.content), h("div", null, goOn)));
  };
  const element = h(
    "div",
    { class: "stack", "data-testid": "first-run" },
    h(
      "div",
      { class: "first first-steps" },
      step(1, t().connect, h("p", { class: "small soft" }, t().connectAbout), clients),
      step(2, t().say, h("p", { class: "small soft" }, t().sayAbout), copyable(t().example)),
      step(3, t().arrive, room),
    ),
    h(
      "div",
      { class: "first" },
      h("section", { class: "panel first-step" }, h("h2", null, t().bring), dropZone(context, done)),
      h("section", { class: "panel first-step" }, h("h2", null, t().demo), h("p", { class: "soft" }, t().demoAbout), h("div", null, demoButton(context, done))),
    ),
  );
  return { element, arrived };
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
