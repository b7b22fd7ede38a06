/** Tabs of one browser share the session: when it becomes another owner's, by a switch or a new link, all are opened again. */

import type { Session } from "./api/index.ts";

const CHANNEL = "celestial.session";

export const fresh = (): void => {
  history.replaceState(null, "", "#/today"); // without a view being opened in between
  location.reload();
};

export function openAgain(): void {
  new BroadcastChannel(CHANNEL).postMessage("switched");
  fresh();
}

/** Tell the other tabs whose memory is open now, and hear of it from them. */
export function followSwitches({ user_id, agent_id }: Session["owner"]): void {
  const owner = JSON.stringify([user_id, agent_id]);
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data !== owner) fresh();
  };
  channel.postMessage(owner);
}
