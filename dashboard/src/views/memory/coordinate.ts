/** Its coordinate: when, where, by whom, and how it felt. */

import type { Memory } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { dateTime, number, percent, texts } from "../../i18n.ts";
import { endsAt } from "../../ui/ends.ts";
import { emotionChip, progress, relativeTime } from "../../ui/index.ts";
import { named } from "./words.ts";

const t = texts({
  en: {
    title: "Coordinate",
    time: "Time",
    space: "Space",
    agent: "Agent",
    emotion: "Emotion",
    use: "Use",
    remembered: "Remembered",
    recalled: "Last recalled",
    expires: "Expires",
    never: "never",
    session: "Conversation",
    project: "Project",
    domain: "Domain",
    tags: "Tags",
    category: "Kind",
    persona: "Persona",
    source: "Source",
    recalls: "Recalls",
    mentions: "Mentions",
    importance: "Importance",
    intensity: "How strongly",
    calm: "Nothing was felt in it.",
    nowhere: "Nothing is known about it.",
    id: "Id",
    metadata: "Metadata",
  },
  ko: {
    title: "좌표",
    time: "시간",
    space: "공간",
    agent: "주체",
    emotion: "감정",
    use: "쓰임",
    remembered: "기억한 때",
    recalled: "마지막으로 떠올린 때",
    expires: "수명이 끝나는 때",
    never: "끝나지 않음",
    session: "대화",
    project: "프로젝트",
    domain: "분야",
    tags: "태그",
    category: "종류",
    persona: "페르소나",
    source: "출처",
    recalls: "떠올린 횟수",
    mentions: "다시 말한 횟수",
    importance: "중요도",
    intensity: "세기",
    calm: "느껴진 감정이 없습니다.",
    nowhere: "알려진 것이 없습니다.",
    id: "아이디",
    metadata: "메타데이터",
  },
});

export function coordinateSection(memory: Memory): Child {
  const line = (label: string, value: Child) => (value === null || value === undefined || value === "" ? [] : [h("dt", null, label), h("dd", null, value)]);
  const group = (name: string, title: string, ...lines: Child[]) => {
    const list = h("dl", { class: "lines" }, lines);
    return h(
      "div",
      { class: "facet", "data-testid": `facet-${name}` },
      h("h3", null, title),
      list.childElementCount ? list : h("p", { class: "small faint" }, t().nowhere),
    );
  };
  const asked = (name: string, value: string) => h("a", { href: `#/ask?${name}=${encodeURIComponent(value)}` }, value);
  const felt =
    memory.emotions.length > 0
      ? [
          h(
            "div",
            { class: "row" },
            memory.emotions.map((each) => emotionChip(each)),
          ),
          memory.intensity > 0 &&
            h(
              "div",
              { class: "felt" },
              progress({ label: t().intensity, share: memory.intensity, colour: `--emotion-${memory.emotions[0] ?? "neutral"}` }).element,
              h("span", { class: "small faint" }, percent(memory.intensity)),
            ),
        ]
      : h("p", { class: "small faint" }, t().calm);
  const whole =
    Object.keys(memory.metadata).length > 0 &&
    h("details", { class: "small" }, h("summary", null, t().metadata), h("pre", null, JSON.stringify(memory.metadata, null, 2)));
  return [
    h("h2", null, t().title),
    h(
      "div",
      { class: "facets" },
      group(
        "time",
        t().time,
        line(t().remembered, h("span", null, dateTime(memory.created_at))),
        memory.recall_count || memory.mention_count ? line(t().recalled, relativeTime(memory.last_recalled_at)) : null,
        line(t().expires, endsAt(memory) ? relativeTime(endsAt(memory) ?? "") : t().never),
        line(t().session, memory.session_id),
      ),
      group(
        "space",
        t().space,
        line(t().project, memory.project && asked("project", memory.project)),
        line(t().domain, memory.domain),
        line(
          t().tags,
          memory.tags.length
            ? h(
                "span",
                { class: "row" },
                memory.tags.map((each) => asked("tags", each)),
              )
            : null,
        ),
      ),
      group(
        "agent",
        t().agent,
        line(t().persona, memory.persona_id),
        line(t().source, named("source", memory.source)),
        line(t().category, memory.category && named("kind", memory.category)),
      ),
      h("div", { class: "facet", "data-testid": "facet-emotion" }, h("h3", null, t().emotion), felt),
      group(
        "use",
        t().use,
        line(t().importance, number(memory.importance, 2)),
        line(t().recalls, number(memory.recall_count)),
        line(t().mentions, number(memory.mention_count)),
      ),
      h("div", { class: "facet" }, h("h3", null, t().id), h("code", { class: "small" }, memory.id), whole),
    ),
  ];
}
