/** The frame around every view: where to go, the search box, language and theme, and how the connection is. */

import { explained, isAbort, type Api, type Session } from "../api/index.ts";
import { fill, h } from "../dom.ts";
import { language, onLanguage, setLanguage } from "../i18n.ts";
import type { Live } from "../live.ts";
import { navigate, placeOf } from "../router.ts";
import { onTheme, setTheme, themeChoice, type Choice } from "../theme/index.ts";
import { button } from "../ui/button.ts";
import { emblem, icon } from "../ui/icons.ts";
import { refill } from "../ui/refill.ts";
import { rememberDialog } from "../ui/remember.ts";
import { signOut, signOutLabel } from "../ui/sign-out.ts";
import { toast } from "../ui/toast.ts";
import { listenForFiles } from "./files.ts";
import { openPalette } from "./palette.ts";
import { bottomBar, railPlaces, showWaiting } from "./places.ts";
import { listenForShortcuts, showShortcuts } from "./shortcuts.ts";
import { Stage } from "./stage.ts";
import { t } from "./texts.ts";

const NEXT_THEME: Readonly<Record<Choice, Choice>> = { auto: "dark", dark: "light", light: "auto" };

export class Shell {
  readonly #root: HTMLElement;
  readonly #api: Api;
  readonly #live: Live;
  readonly #session: Session;
  readonly #main = h("main", { class: "main", id: "main", tabindex: -1 });
  readonly #said = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
  readonly #stage: Stage;
  readonly #ending = new AbortController();
  #seek: HTMLInputElement = h("input");
  #waiting = 0;
  #place = placeOf(location.hash);

  constructor(root: HTMLElement, given: { readonly api: Api; readonly live: Live; readonly session: Session }) {
    [this.#root, this.#api, this.#live, this.#session] = [root, given.api, given.live, given.session];
    this.#stage = new Stage(this.#main, { ...given, navigate, toast, announce: (text) => this.#announce(text) });
  }

  start(): void {
    const { signal } = this.#ending;
    this.#draw();
    signal.addEventListener(
      "abort",
      onLanguage(() => {
        const onSwitch = document.activeElement?.closest(".switches");
        this.#draw();
        if (onSwitch) this.#root.querySelector<HTMLElement>(".switches button")?.focus();
      }),
    );
    onTheme(() => {
      const switches = this.#root.querySelector<HTMLElement>(".switches");
      if (switches) refill(switches, this.#switches());
    }, signal);
    window.addEventListener("hashchange", () => this.#moved(), { signal });
    const context = { api: this.#api, toast, signal };
    const tools = { navigate, remember: (text = "") => rememberDialog(context, text) };
    listenForShortcuts(
      { go: (place) => navigate(place), search: () => this.#seek.focus(), remember: () => tools.remember(), palette: () => openPalette(this.#api, tools) },
      signal,
    );
    // Loaded when the first file comes: most visits bring none.
    listenForFiles(
      (files) => void import("../ui/drop.ts").then(({ dropDialog }) => dropDialog({ api: this.#api, session: this.#session, signal }, files)),
      signal,
    );
    this.#live.onChanges((changes) => {
      if (changes.some(({ type }) => /^(proposed|approved|rejected|proposal_ended|backup_restored|reset)$/.test(type))) void this.#count();
    }, signal);
    this.#live.onState((state) => {
      if (state === "lost") this.#announce(t().lost);
      if (state === "live") void this.#count();
      this.#showConnection();
    }, signal);
    void this.#count();
  }

  /** Take the frame down: nobody is signed in any more. */
  end(): void {
    this.#ending.abort();
    this.#stage.end();
  }

  #draw(): void {
    document.documentElement.lang = language();
    const { name } = this.#place;
    const brand = () => h("a", { class: "brand", href: "#/today", "aria-label": t().brand }, emblem(), h("span", null, t().brand));
    const { user_id, agent_id } = this.#session.owner;
    fill(
      this.#root,
      h(
        "div",
        { class: "shell" },
        h(
          "a",
          {
            class: "skip unseen",
            href: "#main",
            onclick: (event) => {
              event.preventDefault();
              this.#main.focus();
            },
          },
          t().skip,
        ),
        h(
          "aside",
          { class: "rail", "aria-label": t().brand },
          brand(),
          railPlaces(name),
          h(
            "div",
            { class: "rail-end" },
            h("div", { class: "connection" }),
            h("div", { class: "whose", title: `${user_id} / ${agent_id}` }, `${user_id} / ${agent_id}`),
            h("div", { class: "faint small" }, `v${this.#session.version}`),
          ),
        ),
        h("header", { class: "top" }, brand(), this.#searchBox(), h("div", { class: "switches" }, this.#switches()), h("div", { class: "connection" })),
        this.#main,
        bottomBar(name, () => this.#wordySwitches()),
        this.#said,
      ),
    );
    this.#showConnection();
    showWaiting(this.#root, this.#waiting);
    void this.#stage.show(this.#place);
  }

  #searchBox(): HTMLElement {
    const text = this.#place.query.get("q") ?? "";
    const tell = (submitted: boolean): boolean => this.#stage.sought({ text: this.#seek.value.trim(), submitted });
    this.#seek = h("input", {
      class: "input",
      type: "search",
      name: "q",
      value: text,
      placeholder: t().search,
      "aria-label": t().search,
      autocomplete: "off",
      enterkeyhint: "search",
      oninput: () => tell(false),
      // The browser would empty the box: Escape never discards what was typed.
      onkeydown: (event) => {
        if (event.key === "Escape" && !event.isComposing) {
          event.preventDefault();
          this.#seek.blur();
        }
      },
    });
    const submit = (event: SubmitEvent): void => {
      event.preventDefault();
      const wanted = this.#seek.value.trim();
      if (!tell(true) && wanted) navigate(`ask?q=${encodeURIComponent(wanted)}`);
    };
    return h("form", { class: "seek", role: "search", onsubmit: submit }, icon("search"), this.#seek, h("kbd", { "aria-hidden": "true" }, "/"));
  }

  /** For the sheet of a phone: the same as in the top bar, in words. */
  #wordySwitches(): HTMLElement[] {
    return [
      button({ label: t().language, onclick: () => setLanguage(language() === "ko" ? "en" : "ko") }),
      button({ label: t()[themeChoice()], icon: themeChoice(), onclick: () => setTheme(NEXT_THEME[themeChoice()]) }),
      button({ label: signOutLabel(), icon: "leave", onclick: () => this.#signOut() }),
    ];
  }

  #signOut(): Promise<void> {
    return signOut(this.#api, this.#ending.signal).catch((error: unknown) => {
      if (!isAbort(error)) toast(explained(error), { kind: "bad" });
    });
  }

  #switches(): HTMLElement[] {
    const choice = themeChoice();
    const themes = button({
      label: t()[choice],
      icon: choice,
      kind: "quiet",
      bare: true,
      onclick: () => {
        setTheme(NEXT_THEME[choice]);
        this.#announce(t()[themeChoice()]);
      },
    });
    themes.dataset.testid = "switch-theme";
    const other = h(
      "button",
      {
        type: "button",
        class: "button quiet",
        lang: language() === "ko" ? "en" : "ko",
        title: t().language,
        onclick: () => setLanguage(language() === "ko" ? "en" : "ko"),
      },
      language() === "ko" ? "EN" : "한",
      h("span", { class: "unseen" }, ` ${t().language}`),
    );
    const help = button({ label: t().help, icon: "help", kind: "quiet", bare: true, onclick: showShortcuts });
    const find = button({
      label: t().palette,
      icon: "command",
      kind: "quiet",
      bare: true,
      onclick: () =>
        openPalette(this.#api, { navigate, remember: (text = "") => rememberDialog({ api: this.#api, toast, signal: this.#ending.signal }, text) }),
    });
    find.dataset.testid = "open-palette";
    const out = button({
      label: signOutLabel(),
      icon: "leave",
      kind: "quiet",
      bare: true,
      onclick: () => this.#signOut(),
    });
    out.dataset.testid = "leave";
    return [find, other, themes, help, out];
  }

  #moved(): void {
    const before = this.#place.name;
    this.#place = placeOf(location.hash);
    for (const mark of this.#root.querySelectorAll("a[data-place]")) {
      if (mark.getAttribute("data-place") === this.#place.name) mark.setAttribute("aria-current", "page");
      else mark.removeAttribute("aria-current");
    }
    const bar = this.#root.querySelector(".bottom");
    bar?.replaceWith(bottomBar(this.#place.name, () => this.#wordySwitches()));
    showWaiting(this.#root, this.#waiting);
    this.#seek.value = this.#place.query.get("q") ?? "";
    void this.#stage.show(this.#place);
    if (before !== this.#place.name) {
      window.scrollTo(0, 0);
      if (document.activeElement !== this.#seek) this.#main.focus({ preventScroll: true });
    }
  }

  #announce(text: string): void {
    this.#said.textContent = "";
    window.setTimeout(() => (this.#said.textContent = text), 50); // a change is read, a sameness is not
  }

  #showConnection(): void {
    for (const sign of this.#root.querySelectorAll<HTMLElement>(".connection")) {
      sign.dataset.state = this.#live.state;
      sign.textContent = t()[this.#live.state];
    }
  }

  async #count(): Promise<void> {
    try {
      const { proposals } = await this.#api.call("inbox_list", { status: "pending" }, { signal: this.#ending.signal });
      this.#waiting = proposals.length;
      showWaiting(this.#root, this.#waiting);
    } catch {
      // the badge is a courtesy: the approvals themselves tell what is wrong
    }
  }
}
