/** What changes, as it happens: one event stream for the whole page, back again after every break. */

/** An entry of the ledger. The type `reset` says that too much was missed to tell it: look at everything again. */
export interface Change {
  readonly event: number | null;
  readonly type: string;
  readonly id: string | null;
  readonly at: number;
}

export type Connection = "connecting" | "live" | "lost";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;
/** The server ends every stream now and then, and the browser comes again: no reason to worry anybody. */
const PATIENCE = 4000;

/** Changes come one by one, or gathered: a burst of a thousand is one call. */
export class Live {
  readonly #changes = new Set<(change: Change) => void>();
  readonly #states = new Set<(state: Connection) => void>();
  #source: EventSource | null = null;
  #timer = 0;
  #worry = 0;
  #wait = FIRST_WAIT;
  #state: Connection = "connecting";
  readonly #refused: () => void;

  /** `refused` is called when the server turns the stream away, as it does once the session has ended. */
  constructor(refused: () => void = () => {}) {
    this.#refused = refused;
  }

  get state(): Connection {
    return this.#state;
  }

  start(): void {
    this.stop();
    const source = new EventSource("/v1/events/stream");
    this.#source = source;
    source.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      window.clearTimeout(this.#worry);
      this.#worry = 0;
      this.#tell("live");
    });
    source.addEventListener("reset", () => this.#hand({ event: null, type: "reset", id: null, at: Date.now() / 1000 }));
    source.addEventListener("change", (event) => {
      const change = read((event as MessageEvent<string>).data);
      if (change) this.#hand(change);
    });
    source.addEventListener("error", () => {
      this.#worry ||= window.setTimeout(() => this.#tell("lost"), PATIENCE);
      // The browser tries again by itself, with the last id, unless the server refused for good.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#refused();
      this.#timer = window.setTimeout(() => this.start(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  stop(): void {
    window.clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  /** Each change, until the signal ends it. */
  onChange(told: (change: Change) => void, signal?: AbortSignal): () => void {
    return subscribe(this.#changes, told, signal);
  }

  /** Changes gathered for so many milliseconds: what a view wants that loads itself again. */
  onChanges(told: (changes: readonly Change[]) => void, signal?: AbortSignal, gather = 400): () => void {
    let waiting: Change[] = [];
    let timer = 0;
    const end = this.onChange((change) => {
      waiting.push(change);
      timer ||= window.setTimeout(() => {
        const all = waiting;
        [waiting, timer] = [[], 0];
        told(all);
      }, gather);
    }, signal);
    const stop = (): void => {
      window.clearTimeout(timer);
      end();
    };
    signal?.addEventListener("abort", stop, { once: true });
    return stop;
  }

  onState(told: (state: Connection) => void, signal?: AbortSignal): () => void {
    told(this.#state);
    return subscribe(this.#states, told, signal);
  }

  #hand(change: Change): void {
    for (const told of this.#changes) told(change);
  }

  #tell(state: Connection): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const told of this.#states) told(state);
  }
}

function subscribe<Value>(all: Set<(value: Value) => void>, told: (value: Value) => void, signal?: AbortSignal): () => void {
  if (signal?.aborted) return () => {};
  all.add(told);
  const end = (): void => void all.delete(told);
  signal?.addEventListener("abort", end, { once: true });
  return end;
}

function read(data: string): Change | null {
  try {
    return JSON.parse(data) as Change;
  } catch {
    return null; // half a line is no change
  }
}
