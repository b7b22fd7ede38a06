/** Which memories are chosen: one by one, in a stretch from the last one, or all. */

export class Selection {
  readonly #chosen = new Set<string>();
  #last: string | null = null;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get ids(): string[] {
    return [...this.#chosen];
  }

  get size(): number {
    return this.#chosen.size;
  }

  has(id: string): boolean {
    return this.#chosen.has(id);
  }

  /** One more or less; with `stretch`, everything from the last one to it, in the order that is shown. */
  set(id: string, on: boolean, order: readonly string[], stretch = false): void {
    const from = this.#last === null ? -1 : order.indexOf(this.#last);
    const to = order.indexOf(id);
    const meant = stretch && from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    for (const each of meant) this.#put(each, on);
    this.#last = id;
    this.#changed();
  }

  all(ids: readonly string[], on: boolean): void {
    for (const id of ids) this.#put(id, on);
    this.#changed();
  }

  /** Forget those that are not there any more. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#chosen) if (!ids.has(id)) this.#chosen.delete(id);
    this.#changed();
  }

  #put(id: string, on: boolean): void {
    if (on) this.#chosen.add(id);
    else this.#chosen.delete(id);
  }
}
