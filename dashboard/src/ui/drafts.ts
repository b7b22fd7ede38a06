/** What was typed and not stored yet, kept in this browser: a session may end, or a page be closed, at any time. */

const PREFIX = "celestial.draft.";

/** The fields of a form, in their order. */
export interface Draft {
  readonly values: readonly string[];
  /** What was changed, such as a version of a memory: something else may hold by now. */
  readonly base: string;
  /** The address where one goes on; empty where it is at hand everywhere. */
  readonly place: string;
}

let owner = "";

/** Whoever signs in next finds their own drafts alone: two memories in one browser are two writers. */
export function draftsOf({ user_id, agent_id }: { readonly user_id: string; readonly agent_id: string }): void {
  owner = JSON.stringify([user_id, agent_id]);
  moveOld("celestial.draft", "remember", (text) => ({ values: [text], base: "", place: "" }));
  moveOld(`celestial.soul.${user_id}/${agent_id}`, "soul", readSoulDraft);
}

/** What an earlier version kept under another key moves to its place once that is free. */
function moveOld(key: string, name: string, read: (kept: string) => Draft | null): void {
  try {
    const kept = localStorage.getItem(key);
    if (kept === null || localStorage.getItem(keyOf(name)) !== null) return;
    const draft = read(kept);
    if (draft) localStorage.setItem(keyOf(name), JSON.stringify(draft));
    localStorage.removeItem(key);
  } catch {
    // storage can be switched off or full: it stays where it is
  }
}

/** A draft of SOUL.md as an earlier version kept it; null for anything else. */
export function readSoulDraft(kept: string): Draft | null {
  try {
    const found = JSON.parse(kept) as { page?: unknown; text?: unknown } | null;
    if (typeof found?.page !== "string" || typeof found.text !== "string") return null;
    return { values: [found.text], base: found.page, place: "#/self/soul" };
  } catch {
    return null;
  }
}

const keyOf = (name: string): string => `${PREFIX}${owner}.${name}`;

export function draftOf(name: string): Draft | null {
  try {
    return readDraft(localStorage.getItem(keyOf(name)));
  } catch {
    return null; // storage can be switched off
  }
}

/** A draft as it was kept; null for anything else. */
export function readDraft(kept: string | null): Draft | null {
  try {
    const found = JSON.parse(kept ?? "null") as Partial<Draft> | null;
    const values = found?.values;
    if (!Array.isArray(values) || !values.every((each) => typeof each === "string")) return null;
    return { values, base: String(found?.base ?? ""), place: /^#\/[\w-]/.test(String(found?.place)) ? String(found?.place) : "" };
  } catch {
    return null;
  }
}

export function keepDraft(name: string, draft: Draft | null): void {
  try {
    if (draft) localStorage.setItem(keyOf(name), JSON.stringify(draft));
    else localStorage.removeItem(keyOf(name));
  } catch {
    // it holds until the page is closed
  }
}

/** What this owner began somewhere and has not stored. */
export function begunDrafts(): (Draft & { readonly name: string })[] {
  try {
    const start = keyOf("");
    const names = Object.keys(localStorage).filter((key) => key.startsWith(start));
    return names
      .map((key) => key.slice(start.length))
      .sort()
      .flatMap((name) => {
        const draft = draftOf(name);
        return draft?.place ? [{ ...draft, name }] : [];
      });
  } catch {
    return [];
  }
}
