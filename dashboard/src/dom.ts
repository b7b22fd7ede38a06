/** Elements from values. Strings become text nodes, so nothing a memory says can become markup. */

export type Child = Node | string | number | null | undefined | false | readonly Child[];

type Handlers = { [Name in keyof HTMLElementEventMap as `on${Name}`]?: (event: HTMLElementEventMap[Name]) => void };

/** `on…` listens, `style` sets properties by script, true sets a bare attribute, false/null/undefined leaves it out. */
export type Props = Handlers & {
  readonly class?: string | undefined;
  readonly style?: Readonly<Record<string, string>>;
} & { readonly [Attribute in string]?: unknown };

export function h<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, props?: Props | null, ...children: Child[]): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  dress(element, props);
  add(element, children);
  return element;
}

/** The same for SVG. */
export function svg<Tag extends keyof SVGElementTagNameMap>(tag: Tag, props?: Props | null, ...children: Child[]): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  dress(element, props);
  add(element, children);
  return element;
}

/** Put these in place of whatever is there. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  add(parent, children);
}

function add(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(parent, child as readonly Child[]);
    else parent.append(child instanceof Node ? child : String(child));
  }
}

function dress(element: HTMLElement | SVGElement, props: Props | null | undefined): void {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) {
      if (typeof value !== "function") throw new TypeError(`${name} must be a function`);
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "style") {
      for (const [property, given] of Object.entries(value as Record<string, string>)) {
        element.style.setProperty(property, given);
      }
    } else if (name === "value" && "value" in element) {
      (element as HTMLInputElement).value = String(value);
    } else if (name === "href" && /^\s*javascript:/i.test(String(value))) {
      throw new TypeError("a link must not run a script");
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

let made = 0;

/** An id that no other element of this page has. (crypto.randomUUID is not there over plain http.) */
export const freshId = (kind: string): string => `${kind}-${(made += 1)}`;
