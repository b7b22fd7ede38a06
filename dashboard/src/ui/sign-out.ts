/** The way out: asked for once, then the session ends. */

import type { Api } from "../api/index.ts";
import { h } from "../dom.ts";
import { texts } from "../i18n.ts";
import { withCode } from "./code.ts";
import { confirm } from "./dialog.ts";

const t = texts({
  en: {
    signOut: "Sign out",
    sure: "Sign out?",
    body: "`celestial dashboard` prints a new link when you want to come back.",
  },
  ko: {
    signOut: "로그아웃",
    sure: "로그아웃할까요?",
    body: "다시 들어오려면 `celestial dashboard`로 새 링크를 받으세요.",
  },
});

export const signOutLabel = (): string => t().signOut;

/** Rejects if the server cannot be reached: the session is still open then. */
export async function signOut(api: Api, signal: AbortSignal): Promise<void> {
  if (!(await confirm({ title: t().sure, body: h("p", null, withCode(t().body)), action: t().signOut, signal }))) return;
  await api.signOut();
  forgetBrowser();
}

/** Everything of this page: the server asks browsers to clear it too, but over plain HTTP they do not listen. */
function forgetBrowser(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("celestial.")) localStorage.removeItem(key);
  } catch {
    // storage can be switched off
  }
}
