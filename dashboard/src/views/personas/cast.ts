/** Who would answer: the personas of the chosen registry in the order of their turns, and what speaks for each. */

import { explained, isAbort } from "../../api/index.ts";
import type { PersonaRegistryView } from "../../api/operations.ts";
import { fill, h } from "../../dom.ts";
import { skeleton } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { personaWord, registryAbout } from "./ready-made.ts";
import { t } from "./texts.ts";

export class Cast {
  readonly element = h("section", { class: "stack", "aria-label": t().cast, "data-testid": "personas-cast" });
  readonly #context: Context;
  #asked = 0;

  constructor(context: Context, first: PersonaRegistryView) {
    this.#context = context;
    this.#show(first);
  }

  /** Another registry was chosen; "" is the usual one. */
  async load(registry: string): Promise<void> {
    const turn = ++this.#asked;
    fill(this.element, skeleton(3));
    try {
      const { api, signal } = this.#context;
      const found = await api.call("personas_show", registry ? { registry } : {}, { signal });
      if (turn === this.#asked) this.#show(found);
    } catch (error) {
      if (!isAbort(error) && turn === this.#asked) fill(this.element, h("p", { class: "soft", role: "alert" }, explained(error)));
    }
  }

  #show({ name, description, cycle, personas }: PersonaRegistryView): void {
    const known = new Map(personas.map((persona) => [persona.id, persona]));
    fill(
      this.element,
      h("h2", null, t().cast),
      description ? h("p", { class: "soft" }, registryAbout(name, description)) : null,
      h(
        "ol",
        { class: "persona-cast" },
        cycle.map((id, at) => {
          const persona = known.get(id);
          return h(
            "li",
            { class: "panel" },
            h("strong", null, `${at + 1}. ${personaWord(persona?.name ?? id)}`),
            persona ? h("span", { class: "small soft" }, personaWord(persona.role ?? persona.stance ?? "")) : null,
            persona ? h("span", { class: "small faint" }, t().answersBy(persona.backend)) : null,
          );
        }),
      ),
    );
  }
}
