/** How large the memory is, how it grows, and how fast the server answers. */

import { explained, isAbort, type Insight, type ServerStatus } from "../../api/index.ts";
import type { Speed } from "../../api/client.ts";
import { fill, h, type Child } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { button, errorPanel, linkButton, skeleton, table } from "../../ui/index.ts";
import { cards } from "../../ui/cards.ts";
import type { Context } from "../../view.ts";
import { utcOffset } from "./days.ts";
import { yearAhead } from "./pace.ts";

const t = texts({
  en: {
    size: "Size",
    memories: "Memories",
    database: "Database",
    each: "Each memory",
    entries: "Ledger entries",
    pace: (days: number, stored: string, purged: string) => `In the last ${days} days ${stored} were remembered and ${purged} deleted for good.`,
    year: (size: string) => `At this pace the database will have about ${size} in a year.`,
    shared: "The file holds the memories of all owners; the pace is this owner's.",
    speed: "Speed",
    speedAbout: "Since the server started, for all who use it. Half of the answers are faster than the first number, nineteen of twenty than the second.",
    other: "Pages and streams",
    operation: "Operation",
    count: "Answers",
    median: "Half within",
    slow: "Nearly all within",
    failed: "Failed",
    ms: (value: string) => `${value} ms`,
    again: "Look again",
    storage: "Check, backup and repair",
  },
  ko: {
    size: "크기",
    memories: "기억",
    database: "데이터베이스",
    each: "기억 하나당 크기",
    entries: "원장 기록",
    pace: (days: number, stored: string, purged: string) => `최근 ${days}일 동안 ${stored}개를 기억했고 ${purged}개를 완전히 지웠습니다.`,
    year: (size: string) => `이대로라면 1년 뒤 데이터베이스는 ${size}쯤 됩니다.`,
    shared: "파일에는 모든 소유자의 기억이 들어 있지만, 늘어나는 속도는 지금 소유자의 기억만으로 계산합니다.",
    speed: "속도",
    speedAbout: "서버를 켠 뒤로 모든 사용자의 요청에 답하는 데 걸린 시간입니다. 절반은 ‘보통’ 값보다, 스무 번 가운데 열아홉 번은 ‘느릴 때’ 값보다 빨랐습니다.",
    other: "화면 파일과 실시간 연결",
    operation: "작업",
    count: "답한 횟수",
    median: "보통",
    slow: "느릴 때",
    failed: "실패",
    ms: (value: string) => `${value}ms`,
    again: "새로고침",
    storage: "검사·백업·복구",
  },
});

const DAYS = 30;
const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

export function system({ api }: Context, signal: AbortSignal): HTMLElement {
  const room = h("div", { class: "stack", "data-testid": "insight-system" }, skeleton(8));
  const load = async (): Promise<void> => {
    try {
      const [status, insight, speeds] = await Promise.all([
        api.call("server_status", {}, { signal }),
        api.call("insight", { days: DAYS, utc_offset: utcOffset() }, { signal }),
        api.speed({ signal }),
      ]);
      fill(room, sizes(status, insight), speedTable(speeds, load));
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      fill(
        room,
        errorPanel(error, () => void load()),
        h("p", { class: "unseen", role: "status" }, explained(error)),
      );
    }
  };
  void load();
  return room;
}

function sizes(status: ServerStatus, { days }: Insight): Child {
  const memories = Object.values(status.states).reduce((sum, count) => sum + count, 0);
  const sum = (of: "stored" | "purged"): number => days.reduce((all, day) => all + day[of], 0);
  const [stored, purged] = [sum("stored"), sum("purged")];
  const bytes = status.size_bytes;
  const later = bytes === null ? null : yearAhead({ bytes, memories, gained: stored - purged, days: DAYS });
  const tiles: readonly (readonly [string, string])[] = [
    [t().memories, number(memories)],
    ...(bytes === null ? [] : [[t().database, sized(bytes)] as const]),
    ...(bytes === null || memories === 0 ? [] : [[t().each, sized(bytes / memories)] as const]),
    [t().entries, number(status.entries)],
  ];
  return h(
    "section",
    { class: "panel stack", "data-testid": "system-size" },
    h("h2", null, t().size),
    h(
      "dl",
      { class: "tiles" },
      tiles.map(([name, value]) => h("div", { class: "tile" }, h("dt", null, name), h("dd", null, value))),
    ),
    h("p", null, t().pace(DAYS, number(stored), number(purged)), later === null ? null : ` ${t().year(sized(later))}`),
    h("p", { class: "small faint" }, t().shared),
    h("div", null, linkButton({ label: t().storage, href: "#/settings/data", small: true })),
  );
}

function speedTable(speeds: readonly Speed[], again: () => Promise<void>): Child {
  const ms = (value: number): string => t().ms(number(value, value < 10 ? 1 : 0));
  return h(
    "section",
    { class: "panel stack", "data-testid": "system-speed" },
    h("div", { class: "row spread" }, h("h2", null, t().speed), button({ label: t().again, small: true, onclick: again })),
    h("p", { class: "small soft" }, t().speedAbout),
    cards(
      table<Speed>({
        label: t().speed,
        rows: speeds,
        columns: [
          { title: t().operation, cell: ({ operation }) => (operation === "other" ? t().other : h("code", null, operation)) },
          { title: t().count, end: true, cell: ({ answers }) => number(answers) },
          { title: t().median, end: true, cell: ({ median_ms }) => ms(median_ms) },
          { title: t().slow, end: true, cell: ({ slow_ms }) => ms(slow_ms) },
          { title: t().failed, end: true, cell: ({ failed }) => (failed ? h("span", { class: "bad" }, number(failed)) : "0") },
        ],
      }),
    ),
  );
}

function sized(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${number(bytes / 1024 ** step, step ? 1 : 0)} ${UNITS[step] ?? ""}`;
}
