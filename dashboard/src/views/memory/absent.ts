/** No memory was chosen, there is none, or nothing is left of it but its record. */

import { fill, h } from "../../dom.ts";
import { said } from "../../i18n.ts";
import { empty, linkButton, viewHead } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { record } from "./history.ts";
import { t } from "./texts.ts";

const TITLE = { en: "Memory", ko: "기억" };
const ways = () => h("div", { class: "row" }, linkButton({ label: t().toOrbits, href: "#/orbits" }), linkButton({ label: t().toAsk, href: "#/ask" }));

export function showChoose(container: HTMLElement): void {
  fill(
    container,
    viewHead(said(TITLE)),
    h("div", { "data-testid": "memory-none" }, empty({ icon: "memory", title: t().nothing, body: t().teach, action: ways() })),
  );
}

/** The ledger knows whether it was ever there. */
export async function showAbsent(container: HTMLElement, id: string, { api, signal }: Context): Promise<void> {
  const { events } = await api.call("memory_history", { id, limit: 50 }, { signal });
  const gone = events.some((event) => event.type === "purged");
  const [title, body] = gone ? [t().gone, t().goneBody] : [t().unknown, t().unknownBody];
  fill(
    container,
    viewHead(said(TITLE)),
    h("div", { "data-testid": gone ? "memory-purged" : "memory-unknown" }, empty({ icon: gone ? "cliff" : "memory", title, body, action: ways() })),
    events.length > 0 && h("section", { class: "panel" }, record(events)),
  );
}
