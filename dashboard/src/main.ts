/** Starts the page: who is signed in, then the frame, or the way in. */

import { Api, ApiError } from "./api/index.ts";
import { language } from "./i18n.ts";
import { Live } from "./live.ts";
import { Shell } from "./shell/index.ts";
import { showOutside } from "./shell/signed-out.ts";
import { followSwitches, fresh } from "./tabs.ts";
import { startTheme } from "./theme/index.ts";
import { draftsOf } from "./ui/drafts.ts";
import { keepTimesFresh } from "./ui/memory.ts";

async function start(root: HTMLElement): Promise<void> {
  document.documentElement.lang = language();
  startTheme();
  const live = new Live(
    () =>
      void api.session().then(
        (found) => found ?? leave(),
        () => {},
      ),
  );
  let shell: Shell | null = null;
  const leave = (): void => {
    live.stop();
    shell?.end();
    showOutside(root, "signed-out");
  };
  const api = new Api(leave, fresh);
  try {
    const session = await api.session();
    if (!session) return showOutside(root, "signed-out");
    draftsOf(session.owner);
    shell = new Shell(root, { api, live, session });
    shell.start();
    live.start();
    keepTimesFresh();
    followSwitches(session.owner);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showOutside(root, "unreachable");
  }
}

const root = document.getElementById("app");
if (root) void start(root);
