/** The graph on a canvas: drawn when something changes, moved by mouse, finger and keys, with only as many names as there is room for. */

import { h } from "../../dom.ts";
import { number } from "../../i18n.ts";
import { colour, onTheme } from "../../theme/index.ts";
import { place } from "../../ui/index.ts";
import { strongest, type Layout, type Node } from "./graph-layout.ts";
import { t } from "./texts.ts";

const [NEAREST, FARTHEST] = [4, 0.04];
const STILL = 6; // CSS pixels: a press that moved less is no drag
const NAMES = 70;
const SEEN = 0.34; // scale below which groups have a name of their own, and ties between them are one line
const NAMED = 1.3; // scale from which there is room for the names of those that lie close
const [PAN, ZOOM] = [60, 1.35];
const MARGIN = 16;

export interface GraphOptions {
  readonly label: string;
  readonly nameOf: (node: Node) => string;
  readonly onpress: (key: string) => void;
  readonly signal: AbortSignal;
}

export class GraphView {
  readonly element: HTMLElement;
  readonly #options: GraphOptions;
  readonly #canvas = h("canvas", { "aria-hidden": "true" });
  readonly #pen: CanvasRenderingContext2D;
  readonly #card = h("div", { class: "hovercard", "aria-hidden": "true", popover: "manual", "data-testid": "relations-card" });
  #layout: Layout = { nodes: [], groups: [], links: [], box: { left: -120, top: -80, right: 120, bottom: 80 } };
  #neighbours: readonly (readonly number[])[] = [];
  #focus = "";
  #found: ReadonlySet<string> | null = null;
  #view = { x: 0, y: 0, scale: 1 };
  #touched = false;
  #pointed = -1;
  #asked = 0;

  constructor(options: GraphOptions) {
    this.#options = options;
    const pen = this.#canvas.getContext("2d");
    if (!pen) throw new TypeError("this browser draws no pictures");
    this.#pen = pen;
    this.element = h(
      "div",
      {
        class: "relations-stage",
        role: "group",
        tabindex: 0,
        "aria-label": options.label,
        "aria-description": t().graphKeys,
        "data-testid": "relations-graph",
        onkeydown: (event) => this.#key(event),
      },
      this.#canvas,
    );
    const room = new ResizeObserver(() => {
      if (!this.#touched) this.#fit();
      this.#draw();
    });
    room.observe(this.element);
    onTheme(() => this.#draw(), options.signal);
    options.signal.addEventListener("abort", () => {
      room.disconnect();
      cancelAnimationFrame(this.#asked);
      this.#card.remove();
    });
    this.#listen();
  }

  show(layout: Layout, focus: string | null, label: string): void {
    [this.#layout, this.#focus, this.#pointed, this.#touched] = [layout, focus ?? "", -1, false];
    const neighbours: number[][] = layout.nodes.map(() => []);
    for (const [source, target] of layout.links) {
      neighbours[source]?.push(target);
      neighbours[target]?.push(source);
    }
    this.#neighbours = neighbours;
    this.element.setAttribute("aria-label", label);
    this.element.dataset.nodes = String(layout.nodes.length);
    this.element.dataset.groups = String(layout.groups.length);
    this.#tell(-1);
    this.#fit();
    this.#draw();
  }

  /** How much wider than high it is. */
  get aspect(): number {
    return this.element.clientHeight ? this.element.clientWidth / this.element.clientHeight : 1.6;
  }

  /** Those that are searched for stand out; null: nobody searches. */
  light(found: ReadonlySet<string> | null): void {
    this.#found = found;
    this.#draw();
  }

  zoomBy(factor: number): void {
    this.#zoomAt(this.element.clientWidth / 2, this.element.clientHeight / 2, factor);
  }

  whole(): void {
    this.#touched = false;
    this.#fit();
    this.#draw();
  }

  #fit(): void {
    const [wide, high] = [this.element.clientWidth, this.element.clientHeight];
    const { left, top, right, bottom } = this.#layout.box;
    const scale = Math.max(FARTHEST, Math.min(1.4, (wide - 2 * MARGIN) / (right - left), (high - 2 * MARGIN) / (bottom - top)));
    this.#view = { x: wide / 2 - ((left + right) / 2) * scale, y: high / 2 - ((top + bottom) / 2) * scale, scale };
  }

  #draw(): void {
    if (!this.#asked && !this.#options.signal.aborted) this.#asked = requestAnimationFrame(() => this.#paint());
  }

  #paint(): void {
    this.#asked = 0;
    const [canvas, pen] = [this.#canvas, this.#pen];
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const [wide, high] = [this.element.clientWidth, this.element.clientHeight];
    if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio))
      [canvas.width, canvas.height] = [Math.round(wide * ratio), Math.round(high * ratio)];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, wide, high);
    const far = this.#view.scale < SEEN && this.#layout.groups.length > 0;
    this.#paintGroups();
    this.#paintLinks(far);
    this.#paintNodes();
    this.#paintNames(wide, high, far);
  }

  #spot({ x, y }: { readonly x: number; readonly y: number }): readonly [number, number] {
    return [this.#view.x + x * this.#view.scale, this.#view.y + y * this.#view.scale];
  }

  #paintGroups(): void {
    const pen = this.#pen;
    pen.fillStyle = colour("--bg-raised");
    pen.strokeStyle = colour("--line");
    pen.lineWidth = 1;
    for (const group of this.#layout.groups) {
      const [x, y] = this.#spot(group);
      pen.globalAlpha = 0.55;
      pen.beginPath();
      pen.arc(x, y, group.radius * this.#view.scale, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  /** From afar one line between two groups; ties to the user would cover everything, and are drawn around one alone. */
  #paintLinks(far: boolean): void {
    const pen = this.#pen;
    const { nodes, groups, links } = this.#layout;
    const isUser = (at: number): boolean => nodes[at]?.subject.kind === "user";
    const around = groups.length === 0;
    pen.strokeStyle = colour("--line-strong");
    if (far) {
      for (const [one, other, share] of strongest(this.#layout)) {
        pen.globalAlpha = 0.25 + 0.4 * share;
        pen.lineWidth = 0.8 + 3.5 * share;
        this.#line(one, other);
      }
    } else {
      for (const [source, target, { memories }] of links) {
        if (!around && (isUser(source) || isUser(target))) continue;
        const [one, other] = [nodes[source], nodes[target]];
        if (!one || !other || (one.group === other.group && groups[one.group]?.loose)) continue; // those lie together by chance
        pen.globalAlpha = this.#found || this.#pointed >= 0 ? 0.12 : one.group === other.group ? 0.5 : 0.28;
        pen.lineWidth = Math.min(4, 0.6 + Math.log2(1 + memories) * 0.5);
        this.#line(one, other);
      }
    }
    if (this.#pointed < 0) return;
    pen.strokeStyle = colour("--accent");
    pen.globalAlpha = 0.9;
    pen.lineWidth = 1.6;
    const from = nodes[this.#pointed];
    if (from) for (const other of this.#neighbours[this.#pointed] ?? []) this.#line(from, nodes[other] as Node);
  }

  #line(one: { x: number; y: number }, other: { x: number; y: number }): void {
    const pen = this.#pen;
    pen.beginPath();
    pen.moveTo(...this.#spot(one));
    pen.lineTo(...this.#spot(other));
    pen.stroke();
  }

  #isLit(at: number): boolean {
    const node = this.#layout.nodes[at] as Node;
    if (this.#found) return this.#found.has(node.subject.key);
    return this.#pointed < 0 || at === this.#pointed || (this.#neighbours[this.#pointed] ?? []).includes(at);
  }

  #paintNodes(): void {
    const pen = this.#pen;
    const tint = { user: colour("--zone-core"), person: colour("--emotion-nostalgia"), thing: colour("--accent") };
    const [focus, text] = [this.#focus, colour("--text")];
    this.#layout.nodes.forEach((node, at) => {
      const [x, y] = this.#spot(node);
      const radius = this.#radius(node);
      if (x < -radius || y < -radius || x > this.element.clientWidth + radius || y > this.element.clientHeight + radius) return;
      pen.globalAlpha = this.#isLit(at) ? 1 : 0.16;
      pen.fillStyle = tint[node.subject.kind];
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fill();
      if (node.subject.key !== focus && at !== this.#pointed && !this.#found?.has(node.subject.key)) return;
      pen.strokeStyle = text;
      pen.lineWidth = 2;
      pen.stroke();
    });
    pen.globalAlpha = 1;
  }

  #radius(node: Node): number {
    return Math.max(1.6, node.radius * Math.min(1.3, this.#view.scale));
  }

  /** The most told of first, each only where no other name is. */
  #paintNames(wide: number, high: number, far: boolean): void {
    const pen = this.#pen;
    const { nodes, groups } = this.#layout;
    const taken: (readonly [left: number, top: number, right: number, bottom: number])[] = [];
    const family = getComputedStyle(this.element).fontFamily;
    const write = (text: string, x: number, y: number, size: number, bold: boolean, must: boolean): boolean => {
      pen.font = `${bold ? 600 : 400} ${size}px ${family}`;
      const width = pen.measureText(text).width;
      const box = [x - 2, y - size / 2 - 1, x + width + 2, y + size / 2 + 1] as const;
      if (box[2] < 0 || box[0] > wide || box[3] < 0 || box[1] > high) return false;
      if (!must && taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) return false;
      taken.push(box);
      pen.lineWidth = 3;
      pen.strokeStyle = colour("--bg");
      pen.fillStyle = colour("--text");
      pen.strokeText(text, x, y);
      pen.fillText(text, x, y);
      return true;
    };
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    pen.lineJoin = "round";
    const short = (text: string): string => (text.length > 26 ? `${text.slice(0, 25).trimEnd()}…` : text);
    const beside = (node: Node, must: boolean): boolean => {
      const [x, y] = this.#spot(node);
      const away = this.#radius(node) + 4;
      const text = short(this.#options.nameOf(node));
      pen.font = `${must ? 600 : 400} 12px ${family}`;
      const width = pen.measureText(text).width;
      return write(text, x + away + width > wide && x - away - width > 0 ? x - away - width : x + away, y, 12, must, must);
    };
    nodes.forEach((node, at) => {
      if (at === this.#pointed || node.subject.key === this.#focus || node.subject.kind === "user") beside(node, true);
    });
    if (far && !this.#found) {
      pen.font = `600 12px ${family}`;
      const widthOf = (text: string): number => pen.measureText(text).width;
      for (const group of [...groups].sort((one, other) => other.members.length - one.members.length)) {
        const [x, y] = this.#spot(group);
        const radius = group.radius * this.#view.scale;
        const titleOf = (most: number): string => {
          if (group.loose) return t().noGroup(number(group.members.length));
          const first = group.members.slice(0, most).map((at) => short(this.#options.nameOf(nodes[at] as Node)));
          return t().groupTitle(first.join(", "), number(group.members.length));
        };
        const title = widthOf(titleOf(2)) <= 2 * radius ? titleOf(2) : titleOf(1);
        // Below a group that its title would cover, and never cut off by the edge.
        const below = widthOf(title) > 2 * radius;
        const left = Math.max(MARGIN / 4, Math.min(wide - widthOf(title) - MARGIN / 4, x - widthOf(title) / 2));
        if (x > -radius && x < wide + radius) write(title, left, below ? y + radius + 8 : y, 12, true, false);
      }
      if (this.#pointed < 0) return;
    }
    const loose = far ? undefined : groups.find((group) => group.loose && group.members.length);
    const crowded = !this.#found && this.#view.scale < NAMED;
    if (loose && crowded) {
      const [[x, y], title] = [this.#spot(loose), t().noGroup(number(loose.members.length))];
      pen.font = `600 12px ${family}`;
      write(title, x - pen.measureText(title).width / 2, y + loose.radius * this.#view.scale + 12, 12, true, false);
    }
    const order = nodes.map((_, at) => at).sort((one, other) => (nodes[other] as Node).subject.memories - (nodes[one] as Node).subject.memories);
    let named = 0;
    for (const at of order) {
      if (named >= NAMES) break;
      if (!this.#isLit(at) || at === this.#pointed || (crowded && this.#pointed < 0 && groups[(nodes[at] as Node).group]?.loose)) continue;
      if (beside(nodes[at] as Node, false)) named += 1;
    }
  }

  // -- moving ------------------------------------------------------------------------------------

  #zoomAt(x: number, y: number, factor: number): void {
    const { scale } = this.#view;
    const next = Math.min(NEAREST, Math.max(FARTHEST, scale * factor));
    this.#view = { x: x - ((x - this.#view.x) * next) / scale, y: y - ((y - this.#view.y) * next) / scale, scale: next };
    this.#touched = true;
    this.#draw();
  }

  #pan(x: number, y: number): void {
    this.#view = { ...this.#view, x: this.#view.x + x, y: this.#view.y + y };
    this.#touched = true;
    this.#draw();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] }[event.key];
    if (by) this.#pan(by[0] as number, by[1] as number);
    else if (event.key === "+" || event.key === "=") this.zoomBy(ZOOM);
    else if (event.key === "-") this.zoomBy(1 / ZOOM);
    else if (event.key === "0") this.whole();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #nodeAt(x: number, y: number, slack: number): number {
    let [best, nearest] = [-1, slack];
    this.#layout.nodes.forEach((node, at) => {
      const [left, top] = this.#spot(node);
      const away = Math.hypot(left - x, top - y) - this.#radius(node);
      if (away < nearest) [best, nearest] = [at, away];
    });
    return best;
  }

  #press(x: number, y: number, touch: boolean): void {
    const at = this.#nodeAt(x, y, touch ? 14 : 4);
    if (at >= 0 && (this.#view.scale >= SEEN || !this.#layout.groups.length || touch === false)) {
      this.#options.onpress((this.#layout.nodes[at] as Node).subject.key);
      return;
    }
    const group = this.#layout.groups.find((each) => {
      const [left, top] = this.#spot(each);
      return Math.hypot(left - x, top - y) <= each.radius * this.#view.scale;
    });
    if (!group) return;
    const scale = Math.min(1.4, this.element.clientWidth / (2.4 * group.radius), this.element.clientHeight / (2.4 * group.radius));
    this.#view = { x: this.element.clientWidth / 2 - group.x * scale, y: this.element.clientHeight / 2 - group.y * scale, scale };
    this.#touched = true;
    this.#draw();
  }

  #tell(at: number): void {
    if (at === this.#pointed) return;
    this.#pointed = at;
    this.element.classList.toggle("pointing", at >= 0);
    const node = this.#layout.nodes[at];
    if (node) {
      this.#card.textContent = `${this.#options.nameOf(node)} · ${node.subject.memories === 1 ? t().one : t().memories(number(node.subject.memories))}`;
      document.body.append(this.#card);
      this.#card.showPopover();
      const [room, [x, y], radius] = [this.#canvas.getBoundingClientRect(), this.#spot(node), this.#radius(node)];
      place(this.#card, { left: room.left + x + radius, top: room.top + y - radius, bottom: room.top + y + radius });
    } else this.#card.remove();
    this.#draw();
  }

  #listen(): void {
    const fingers = new Map<number, { x: number; y: number; fromX: number; fromY: number }>();
    let dragged = false;
    const spot = (event: MouseEvent): [number, number] => {
      const room = this.#canvas.getBoundingClientRect();
      return [event.clientX - room.left, event.clientY - room.top];
    };
    const apart = (): number => {
      const [one, other] = [...fingers.values()];
      return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
    };
    const on = <Name extends keyof HTMLElementEventMap>(name: Name, doing: (event: HTMLElementEventMap[Name]) => void, passive = true): void =>
      this.#canvas.addEventListener(name, doing, { signal: this.#options.signal, passive });
    on("pointerdown", (event) => {
      if (event.button !== 0) return;
      const [x, y] = spot(event);
      dragged = fingers.size > 0; // two fingers never press
      fingers.set(event.pointerId, { x, y, fromX: x, fromY: y });
      this.#canvas.setPointerCapture(event.pointerId);
    });
    on("pointermove", (event) => {
      const [x, y] = spot(event);
      const finger = fingers.get(event.pointerId);
      if (!finger) return this.#tell(event.pointerType === "touch" ? -1 : this.#nodeAt(x, y, 4));
      const before = apart();
      const [dx, dy] = [x - finger.x, y - finger.y];
      [finger.x, finger.y] = [x, y];
      if (Math.hypot(x - finger.fromX, y - finger.fromY) > STILL) dragged = true;
      if (!dragged) return;
      this.#tell(-1);
      this.#pan(dx / fingers.size, dy / fingers.size);
      const now = apart();
      const [one, other] = [...fingers.values()];
      if (before && now && one && other) this.#zoomAt((one.x + other.x) / 2, (one.y + other.y) / 2, now / before);
    });
    const lift = (event: PointerEvent): void => {
      if (!fingers.delete(event.pointerId) || dragged || event.type !== "pointerup") return;
      this.#press(...spot(event), event.pointerType === "touch");
    };
    on("pointerup", lift);
    on("pointercancel", lift);
    on("pointerleave", () => this.#tell(-1));
    on(
      "wheel",
      (event) => {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        this.#zoomAt(...spot(event), Math.exp(-event.deltaY * lines * 0.0016 * (event.ctrlKey ? 6 : 1)));
      },
      false,
    );
  }
}
