/** Where everything lies: the store and its health, backups, archives, and memories out and in. */

import { h, type Child } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { confirm, table, word } from "../../ui/index.ts";
import { cards } from "../../ui/cards.ts";
import { withCode } from "../../ui/code.ts";
import type { Context } from "../../view.ts";
import { moving } from "./moving.ts";
import { action, facts, into, section, size, tell } from "./section.ts";

const t = texts({
  en: {
    store: "Storage",
    storeAbout: "One database file, its ledger beside it, and archived sessions.",
    database: "Database",
    ledger: "Ledger's daily files",
    archive: "Archives",
    bytes: "Size",
    memories: "Memories",
    entries: "Ledger entries",
    check: "Check",
    sound: "Everything is sound.",
    problems: (count: string) => `${count} problems were found:`,
    repair: "Repair",
    repairSure: "Repair the database?",
    repairBody: "Indexes and other things that can be derived are made again. The memories themselves stay as they are.",
    repaired: "Repaired; everything is sound now.",
    still: (count: string) => `${count} problems are left. \`celestial doctor\` tells more.`,
    backup: "Back up now",
    backedUp: (memories: string, events: string, bytes: string) => `Backed up and checked: ${memories} memories, ${events} entries, ${bytes}.`,
    rebalance: "Rebalance",
    balanced: (moved: string, visited: string) => `${moved} of ${visited} memories looked at moved to another zone.`,
    left: (count: string) => `${count} went over the cliff; they can be restored for seven days.`,
    gone: (count: string) => `${count} had been on the cliff for seven days and are gone for good.`,
    balanceSure: "Rebalance now?",
    balanceBody: "Every memory goes where its score says. What nobody has used for very long may go over the cliff; what was there for seven days is deleted.",
    noAdmin: "Checks, backups and rebalancing need the admin scope, which this session does not have.",
    archives: "Archived sessions",
    archivesAbout: "Out of the database, in files of their own; bringing one back puts its memories in orbit.",
    none: "Nothing is archived.",
    session: "Session",
    bring: "Bring back",
    brought: (count: string) => `${count} memories are back in orbit.`,
  },
  ko: {
    store: "저장소",
    storeAbout: "데이터베이스 파일 하나와 그 옆의 원장, 보관된 세션입니다.",
    database: "데이터베이스",
    ledger: "원장의 날짜별 파일",
    archive: "보관함",
    bytes: "크기",
    memories: "기억",
    entries: "원장 기록",
    check: "검사",
    sound: "모두 온전합니다.",
    problems: (count: string) => `문제 ${count}개를 찾았습니다.`,
    repair: "복구",
    repairSure: "데이터베이스를 복구할까요?",
    repairBody: "색인처럼 다시 만들 수 있는 것을 새로 만듭니다. 기억은 그대로 있습니다.",
    repaired: "복구했습니다. 이제 모두 온전합니다.",
    still: (count: string) => `문제 ${count}개가 남았습니다. \`celestial doctor\`로 자세히 볼 수 있습니다.`,
    backup: "지금 백업",
    backedUp: (memories: string, events: string, bytes: string) => `백업하고 확인했습니다. 기억 ${memories}개, 기록 ${events}개, ${bytes}.`,
    rebalance: "재배치",
    balanced: (moved: string, visited: string) => `기억 ${visited}개를 살펴 ${moved}개를 다른 궤도로 옮겼습니다.`,
    left: (count: string) => `${count}개가 절벽으로 갔습니다. 7일 동안 되살릴 수 있습니다.`,
    gone: (count: string) => `7일 동안 절벽에 있던 ${count}개가 완전히 사라졌습니다.`,
    balanceSure: "지금 재배치할까요?",
    balanceBody: "모든 기억이 점수에 맞는 자리로 갑니다. 아주 오래 쓰이지 않은 기억은 절벽으로 갈 수 있고, 7일 동안 절벽에 있던 기억은 지워집니다.",
    noAdmin: "검사, 백업, 재배치에는 admin 권한이 필요합니다.",
    archives: "보관된 세션",
    archivesAbout: "데이터베이스 밖의 파일에 있습니다. 다시 가져오면 기억이 궤도에 오릅니다.",
    none: "보관된 것이 없습니다.",
    session: "세션",
    bring: "다시 가져오기",
    brought: (count: string) => `기억 ${count}개가 다시 궤도에 올랐습니다.`,
  },
});

export const data = (context: Context, signal: AbortSignal): HTMLElement =>
  h("div", { class: "stack side-by-side" }, storage(context, signal), moving(context, signal), archives(context, signal));

function storage({ api, live, session }: Context, signal: AbortSignal): HTMLElement {
  const room = h("div", { class: "stack" });
  const told = h("div", { class: "stack", role: "status", "data-testid": "storage-result" });
  const load = () =>
    into(room, signal, async () => {
      const status = await api.call("server_status", {}, { signal });
      const path = (label: string, value: string | null) => (value ? [[label, h("span", { class: "mono small" }, value)] as const] : []);
      return facts([
        ...path(t().database, status.database),
        ...path(t().ledger, status.ledger),
        ...path(t().archive, status.archive),
        ...(status.size_bytes === null ? [] : [[t().bytes, size(status.size_bytes)] as const]),
        [
          t().memories,
          Object.entries(status.states)
            .map(([state, count]) => `${word("state", state)} ${number(count)}`)
            .join(" · ") || "0",
        ],
        [t().entries, number(status.entries)],
      ]);
    });
  const check = () =>
    tell(told, signal, async () => {
      const { problems } = await api.call("check", {}, { signal });
      return problems.length ? [listed(t().problems(number(problems.length)), problems), h("div", null, repair)] : h("p", { class: "good" }, t().sound);
    });
  const repair = action("storage-repair", {
    label: t().repair,
    kind: "danger",
    onclick: async () => {
      if (!(await confirm({ title: t().repairSure, body: t().repairBody, action: t().repair, danger: true, signal }))) return;
      await tell(told, signal, async () => {
        const { problems } = await api.call("repair", {}, { signal });
        return problems.length ? listed(t().still(number(problems.length)), problems) : h("p", { class: "good" }, t().repaired);
      });
    },
  });
  const backup = () =>
    tell(told, signal, async () => {
      const made = await api.call("backup_create", {}, { signal });
      return [
        h("p", { class: made.problems.length ? "warn" : "good" }, t().backedUp(number(made.memories), number(made.events), size(made.size_bytes))),
        h("p", { class: "mono small" }, made.path),
        made.problems.length ? listed(t().problems(number(made.problems.length)), made.problems) : null,
      ];
    });
  const rebalance = async (): Promise<void> => {
    if (!(await confirm({ title: t().balanceSure, body: t().balanceBody, action: t().rebalance, signal }))) return;
    await tell(told, signal, async () => {
      const done = await api.call("rebalance", {}, { signal });
      return [
        h("p", { class: "good" }, t().balanced(number(done.moved), number(done.visited))),
        done.forgotten ? h("p", null, t().left(number(done.forgotten))) : null,
        done.purged ? h("p", null, t().gone(number(done.purged))) : null,
      ];
    });
  };
  live.onChanges(() => void load(), signal, 3000);
  void load();
  return section(
    "settings-storage",
    t().store,
    t().storeAbout,
    room,
    session.scopes.includes("admin")
      ? h(
          "div",
          { class: "row" },
          action("storage-check", { label: t().check, onclick: check }),
          action("storage-backup", { label: t().backup, kind: "primary", onclick: backup }),
          action("storage-rebalance", { label: t().rebalance, onclick: rebalance }),
        )
      : h("p", { class: "faint" }, t().noAdmin),
    told,
  );
}

const listed = (title: string, problems: readonly string[]): Child => [
  h("p", { class: "warn" }, withCode(title)),
  h(
    "ul",
    { class: "problems small" },
    problems.map((each) => h("li", null, each)),
  ),
];

function archives({ api, session }: Context, signal: AbortSignal): HTMLElement {
  const room = h("div", { class: "stack" });
  const told = h("div", { class: "stack", role: "status" });
  const load = () =>
    into(room, signal, async () => {
      const { archives: all } = await api.call("archive_list", {}, { signal });
      if (!all.length) return h("p", { class: "soft" }, t().none);
      return cards(
        table({
          label: t().archives,
          rows: all,
          columns: [
            {
              title: t().session,
              cell: ({ session_id, file, problems }) => [session_id ?? file, problems.length ? h("div", { class: "warn small" }, problems.join(" ")) : null],
            },
            { title: t().memories, end: true, cell: ({ memories }) => number(memories) },
            { title: t().bytes, end: true, cell: ({ size_bytes }) => size(size_bytes) },
            {
              title: "",
              end: true,
              cell: ({ session_id }) =>
                session_id === null || !session.scopes.includes("write")
                  ? null
                  : action(`archive-bring-${session_id}`, {
                      label: t().bring,
                      small: true,
                      onclick: () =>
                        tell(told, signal, async () => {
                          const { ids, problems } = await api.call("archive_bring_back", { which: session_id }, { signal });
                          await load();
                          return [
                            h("p", { class: "good" }, t().brought(number(ids.length))),
                            problems.length ? listed(t().problems(number(problems.length)), problems) : null,
                          ];
                        }),
                    }),
            },
          ],
        }),
      );
    });
  void load();
  return section("settings-archives", t().archives, t().archivesAbout, room, told);
}
