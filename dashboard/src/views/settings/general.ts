/** Language, theme, demo data, the way out, and what this is. */

import { explained, isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { dateTime, language, number, setLanguage, texts, type Language } from "../../i18n.ts";
import { setTheme, themeChoice, type Choice } from "../../theme/index.ts";
import { confirm, field, select } from "../../ui/index.ts";
import { signOut, signOutLabel } from "../../ui/sign-out.ts";
import type { Context } from "../../view.ts";
import { openAgain } from "../../tabs.ts";
import { action, facts, into, section, tell } from "./section.ts";

const t = texts({
  en: {
    look: "Language and theme",
    lookAbout: "Kept in this browser.",
    language: "Language",
    theme: "Theme",
    auto: "As the system",
    dark: "Dark",
    light: "Light",
    demo: "Demo data",
    demoAbout:
      "Some three hundred memories of a made-up life over two months, to look around with. One press takes them out again, with what came of them; what you made your own meanwhile stays.",
    demoLanguage: "Language of the demo",
    addDemo: "Add demo data",
    removeDemo: "Remove demo data",
    added: (count: string) => `${count} demo memories were added.`,
    already: "They are all there already.",
    removed: (count: string) => `${count} demo memories were removed.`,
    noneThere: "There was no demo data.",
    kept: (count: string) => `${count} became core, immutable or your own words meanwhile, and stay.`,
    sure: "Remove the demo data?",
    sureBody: "The made-up memories are deleted for good. Your own memories stay as they are.",
    session: "Session",
    sessionAbout: "You came in by a link that only works once.",
    who: "Memories of",
    until: "Signed in until",
    scopes: "May",
    owner: "Show the memories of",
    ownerAbout: "This link was made for all owners of this memory. What you do counts as done by the chosen one.",
    ownerOf: (who: string, count: string) => `${who} (${count} memories)`,
    about: "About",
    version: "Version",
    licence: "Licence",
    parts: "Made with",
    noNetwork: "Nothing on this page is loaded from elsewhere, and nothing is sent anywhere but to your own server.",
  },
  ko: {
    look: "언어와 테마",
    lookAbout: "이 브라우저에 저장됩니다.",
    language: "언어",
    theme: "테마",
    auto: "시스템 설정대로",
    dark: "어둡게",
    light: "밝게",
    demo: "예시 데이터",
    demoAbout:
      "두 달 동안의 꾸며 낸 삶을 담은 기억 300개쯤을 넣어 둘러볼 수 있습니다. 한 번 누르면 거기서 생긴 것까지 함께 빠지고, 그사이 내 것이 된 기억은 남습니다.",
    demoLanguage: "예시의 언어",
    addDemo: "예시 데이터 넣기",
    removeDemo: "예시 데이터 빼기",
    added: (count: string) => `예시 기억 ${count}개를 넣었습니다.`,
    already: "이미 모두 들어 있습니다.",
    removed: (count: string) => `예시 기억 ${count}개를 뺐습니다.`,
    noneThere: "예시 데이터가 없었습니다.",
    kept: (count: string) => `그사이 코어 메모리나 변경 불가가 되었거나 직접 고쳐 쓴 ${count}개는 남겨 두었습니다.`,
    sure: "예시 데이터를 뺄까요?",
    sureBody: "꾸며 낸 기억만 완전히 지웁니다. 내 기억은 그대로 있습니다.",
    session: "접속",
    sessionAbout: "한 번만 쓸 수 있는 링크로 들어왔습니다.",
    who: "기억의 주인",
    until: "접속 기한",
    scopes: "할 수 있는 일",
    owner: "볼 기억의 소유자",
    ownerAbout: "모든 소유자의 기억을 볼 수 있는 링크로 들어왔습니다. 여기서 하는 일은 선택한 소유자가 한 일로 기록됩니다.",
    ownerOf: (who: string, count: string) => `${who} (기억 ${count}개)`,
    about: "정보",
    version: "버전",
    licence: "라이선스",
    parts: "함께 쓰인 것",
    noNetwork: "이 화면은 다른 곳에서 아무것도 불러오지 않고, 내 서버가 아닌 곳으로 아무것도 보내지 않습니다.",
  },
});

const LANGUAGES = [
  ["en", "English"],
  ["ko", "한국어"],
] as const;

export function general(context: Context, signal: AbortSignal): HTMLElement {
  return h("div", { class: "stack side-by-side" }, look(), demo(context, signal), session(context, signal), about(context));
}

/** Another language draws the whole page again: the focus is to be where it was. */
let choosing = false;

function look(): HTMLElement {
  const languages = select<Language>({
    options: LANGUAGES,
    selected: language(),
    onchange: (next) => {
      choosing = true;
      setLanguage(next);
    },
  });
  if (choosing) requestAnimationFrame(() => languages.focus());
  choosing = false;
  const themes = select<Choice>({
    options: [
      ["auto", t().auto],
      ["dark", t().dark],
      ["light", t().light],
    ],
    selected: themeChoice(),
    onchange: (next) => setTheme(next),
  });
  languages.dataset.testid = "settings-language";
  themes.dataset.testid = "settings-theme";
  return section(
    "settings-look",
    t().look,
    t().lookAbout,
    h("div", { class: "pair" }, field({ label: t().language, control: languages }), field({ label: t().theme, control: themes })),
  );
}

function demo({ api, session: { scopes } }: Context, signal: AbortSignal): HTMLElement {
  let chosen: Language = language();
  const told = h("div", { role: "status", "data-testid": "demo-result" });
  const add = action("demo-add", {
    label: t().addDemo,
    kind: "primary",
    disabled: !scopes.includes("write"),
    onclick: () =>
      tell(told, signal, async () => {
        const { added } = await api.call("demo_add", { language: chosen }, { signal });
        return h("p", { class: "good" }, added ? t().added(number(added)) : t().already);
      }),
  });
  const remove = action("demo-remove", {
    label: t().removeDemo,
    disabled: !scopes.includes("write"),
    onclick: async () => {
      if (!(await confirm({ title: t().sure, body: t().sureBody, action: t().removeDemo, danger: true, signal }))) return;
      await tell(told, signal, async () => {
        const { removed, kept } = await api.call("demo_remove", {}, { signal });
        return h("p", { class: "good" }, removed ? t().removed(number(removed)) : t().noneThere, kept ? ` ${t().kept(number(kept))}` : null);
      });
    },
  });
  const languages = select<Language>({
    options: LANGUAGES,
    selected: chosen,
    onchange: (next) => {
      chosen = next;
    },
  });
  languages.dataset.testid = "demo-language";
  return section(
    "settings-demo",
    t().demo,
    t().demoAbout,
    h("div", { class: "pair" }, field({ label: t().demoLanguage, control: languages })),
    h("div", { class: "row" }, add, remove),
    told,
  );
}

function session(context: Context, signal: AbortSignal): HTMLElement {
  const { owner, expires_at, scopes } = context.session;
  const told = h("div", { role: "status" });
  const out = action("sign-out", {
    label: signOutLabel(),
    onclick: () =>
      signOut(context.api, signal).catch((error: unknown) => {
        if (!isAbort(error)) fill(told, h("p", { class: "bad" }, explained(error)));
      }),
  });
  return section(
    "settings-session",
    t().session,
    t().sessionAbout,
    facts([
      [t().who, `${owner.user_id} / ${owner.agent_id}`],
      [t().scopes, scopes.join(", ")],
      ...(expires_at ? [[t().until, dateTime(expires_at)] as const] : []),
    ]),
    context.session.switches_owner ? ownerChoice(context, signal, told) : null,
    h("div", null, out),
    told,
  );
}

/** All tabs share the session: every one of them is opened again. */
function ownerChoice({ api, session: { owner } }: Context, signal: AbortSignal, told: HTMLElement): HTMLElement {
  const room = h("div");
  void into(room, signal, async () => {
    const owners = await api.owners({ signal });
    const nameOf = (one: { readonly user_id: string; readonly agent_id: string }): string => `${one.user_id} / ${one.agent_id}`;
    const choice = select({
      options: owners.map((each, at) => [String(at), t().ownerOf(nameOf(each), number(each.memories))] as const),
      selected: String(owners.findIndex((each) => nameOf(each) === nameOf(owner))),
      onchange: (at) =>
        void tell(told, signal, async () => {
          await api.switchOwner(owners[Number(at)] ?? owner);
          openAgain();
          return null;
        }),
    });
    choice.dataset.testid = "owner-choice";
    return field({ label: t().owner, control: choice, hint: t().ownerAbout });
  });
  return room;
}

const about = ({ session: { version } }: Context): HTMLElement =>
  section(
    "settings-about",
    t().about,
    t().noNetwork,
    facts([
      [t().version, `Celestial Memory Engine ${version}`],
      [t().licence, "Apache-2.0"],
      [t().parts, "Apache ECharts (Apache-2.0), ZRender (BSD-3-Clause), tslib (0BSD)"],
    ]),
  );
