/** Mouse, pen and fingers: point, press, drag, pinch and roll. */

import type { Picture } from "./picture.ts";

const STILL = 6; // CSS pixels: a press that moved less is no drag
const ROLL = 0.0016;

export interface PointingOptions {
  readonly element: HTMLElement;
  readonly picture: Picture;
  readonly onpoint: (i: number, cluster: number) => void;
  /** A body was pressed, or a bubble of many, or empty space (both -1). */
  readonly onpress: (i: number, touch: boolean, cluster: number) => void;
  readonly signal: AbortSignal;
}

interface Finger {
  x: number;
  y: number;
  readonly fromX: number;
  readonly fromY: number;
}

export function listenForPointing({ element, picture, onpoint, onpress, signal }: PointingOptions): void {
  const fingers = new Map<number, Finger>();
  let dragged = false;
  const spot = (event: MouseEvent): [number, number] => {
    const room = element.getBoundingClientRect();
    return [event.clientX - room.left, event.clientY - room.top];
  };
  const apart = (): number => {
    const [one, other] = [...fingers.values()];
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
  };
  /** Bubbles lie over bodies. */
  const pointed = (x: number, y: number, tell: (i: number, cluster: number) => void, touch = false): void => {
    const cluster = picture.clusterAt(x, y);
    tell(cluster < 0 ? picture.bodyAt(x, y, touch) : -1, cluster);
  };
  const on = <Name extends keyof HTMLElementEventMap>(name: Name, told: (event: HTMLElementEventMap[Name]) => void, passive = true): void =>
    element.addEventListener(name, told, { signal, passive });

  on("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [x, y] = spot(event);
    if (fingers.size === 0) dragged = false;
    else dragged = true; // two fingers never press
    fingers.set(event.pointerId, { x, y, fromX: x, fromY: y });
    element.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => {
    const [x, y] = spot(event);
    const finger = fingers.get(event.pointerId);
    if (!finger) return event.pointerType === "touch" ? onpoint(-1, -1) : pointed(x, y, onpoint);
    const before = apart();
    const [dx, dy] = [x - finger.x, y - finger.y];
    [finger.x, finger.y] = [x, y];
    if (Math.hypot(x - finger.fromX, y - finger.fromY) > STILL) dragged = true;
    if (!dragged) return;
    onpoint(-1, -1);
    element.classList.add("dragging");
    picture.camera.pan(dx / fingers.size, dy / fingers.size, true);
    const now = apart();
    if (before && now) {
      const [one, other] = [...fingers.values()] as [Finger, Finger];
      picture.camera.zoomAt((one.x + other.x) / 2, (one.y + other.y) / 2, now / before);
    }
    picture.wake();
  });
  const lift = (event: PointerEvent): void => {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size === 0) element.classList.remove("dragging");
    const touch = event.pointerType === "touch";
    if (!dragged && event.type === "pointerup") pointed(...spot(event), (i, cluster) => onpress(i, touch, cluster), touch);
  };
  on("pointerup", lift);
  on("pointercancel", lift);
  on("pointerleave", () => onpoint(-1, -1));
  on(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      picture.camera.zoomAt(...spot(event), Math.exp(-event.deltaY * lines * ROLL * (event.ctrlKey ? 6 : 1)));
      picture.wake();
    },
    false,
  );
  on("dblclick", (event) => {
    picture.camera.zoomAt(...spot(event), 1.8);
    picture.wake();
  });
}
