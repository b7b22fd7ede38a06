/** Keys: `g` and a letter goes somewhere, `n` remembers, Ctrl+K finds anything, `/` searches, `?` tells all of them. */

import { h, type Child } from "../dom.ts";
import { dialog, type Dialog } from "../ui/dialog.ts";
import { KEYS, PLACES } from "./places.ts";
import { t } from "./texts.ts";

const PATIENCE = 1500;
let shown: Dialog | null = null;

interface Doing {
  readonly go: (place: string) => void;
  readonly search: () => void;
  readonly remember: () => void;
  readonly palette: () => void;
}

export function listenForShortcuts(doing: Doing, signal: AbortSignal): void {
  let goingSince = -Infinity;
  document.addEventListener(
    "keydown",
    (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && letter(event) === "k") {
        event.preventDefault();
        if (!document.querySelector("dialog[open]")) doing.palette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      if (event.timeStamp - goingSince < PATIENCE) {
        goingSince = -Infinity;
        const place = PLACES.find((name) => KEYS[name] === letter(event));
        if (!place) return;
        event.preventDefault();
        doing.go(place);
      } else if (letter(event) === "g") {
        goingSince = event.timeStamp;
      } else if (letter(event) === "n") {
        event.preventDefault();
        doing.remember();
      } else if (event.key === "/") {
        event.preventDefault();
        doing.search();
      } else if (event.key === "?") {
        event.preventDefault();
        showShortcuts();
      }
    },
    { signal },
  );
}

/** By the key's place, so that it works while a Korean keyboard is switched on. */
const letter = (event: KeyboardEvent): string => (event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key.toLowerCase());

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function showShortcuts(): void {
  if (shown) return;
  const line = (keys: Child, text: string) => [h("dt", null, keys), h("dd", null, text)];
  const key = (name: string) => h("kbd", null, name);
  const body = h(
    "dl",
    { class: "keys" },
    PLACES.map((name) => line([key("g"), key(KEYS[name])], t().goTo(t()[name]))),
    line(key("n"), t().remember),
    line([key("Ctrl"), key("K")], t().paletteKey),
    line(key("/"), t().focusSearch),
    line([key("↑"), key("↓"), key("←"), key("→")], t().move),
    line(key("Esc"), t().close),
    line(key("?"), t().showHelp),
  );
  shown = dialog({ title: t().help, body });
  void shown.closed.then(() => (shown = null));
}
