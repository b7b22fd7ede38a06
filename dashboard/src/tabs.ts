/** Tabs of one browser share the session: when one of them is switched to another owner, all are opened again. */

const CHANNEL = "celestial.session";

const fresh = (): void => {
  history.replaceState(null, "", "#/today"); // without a view being opened in between
  location.reload();
};

export function openAgain(): void {
  new BroadcastChannel(CHANNEL).postMessage("switched");
  fresh();
}

/** Hear of a switch in another tab. */
export function followSwitches(): void {
  new BroadcastChannel(CHANNEL).onmessage = fresh;
}
