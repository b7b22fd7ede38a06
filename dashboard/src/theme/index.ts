/** Dark or light: as the system says, or as the reader chose. */

export type Choice = "auto" | "dark" | "light";
export type Theme = "dark" | "light";

const KEPT = "celestial.theme";
const prefersLight = window.matchMedia("(prefers-color-scheme: light)");
const listeners = new Set<() => void>();
let choice: Choice = kept();

function kept(): Choice {
  try {
    const found = localStorage.getItem(KEPT);
    return found === "dark" || found === "light" ? found : "auto";
  } catch {
    return "auto";
  }
}

function apply(): void {
  document.documentElement.dataset.theme = theme();
  for (const told of listeners) told();
}

export const themeChoice = (): Choice => choice;
export const theme = (): Theme => (choice === "auto" ? (prefersLight.matches ? "light" : "dark") : choice);

export function setTheme(next: Choice): void {
  choice = next;
  try {
    localStorage.setItem(KEPT, next);
  } catch {
    // it holds until the page is closed
  }
  apply();
}

/** Called after the colours changed: for canvases and charts, which CSS does not reach. */
export function onTheme(told: () => void, signal?: AbortSignal): () => void {
  listeners.add(told);
  const end = (): void => void listeners.delete(told);
  signal?.addEventListener("abort", end, { once: true });
  return end;
}

let probe: HTMLElement | null = null;

/** A colour token as the canvas wants it: `colour("--emotion-joy")` gives "rgb(255, 215, 0)" in the theme now. */
export function colour(token: string): string {
  if (!probe?.isConnected) {
    probe = document.createElement("span");
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.setProperty("color", `var(${token})`);
  return getComputedStyle(probe).color;
}

export const reducedMotion = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export function startTheme(): void {
  prefersLight.addEventListener("change", apply);
  apply();
}
