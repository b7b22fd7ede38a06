import { texts } from "../../i18n.ts";

export const t = texts({
  en: {
    title: "Memories", about: "Everything that is remembered. Sort, filter, look closer, change many at once.", table: "All memories",
    count: (count: string) => `${count} memories`, one: "1 memory", none: "No memory is like that", noneBody: "Take a filter away, or look for something else.", clear: "Clear all filters",
    filter: "Filter", filterHint: "A person, a lifetime, a word …", suggestions: "Suggestions", contains: (text: string) => `Text contains “${text}”`, remove: (label: string) => `Remove filter ${label}`,
    field_about: "About", field_attribute: "Attribute", field_tier: "Lifetime", field_zone: "Zone", field_emotion: "Emotion", field_session_id: "Conversation", field_source: "Source",
    field_state: "State", field_protection: "Protection", field_tag: "Tag", field_project: "Project", field_text: "Text", field_current: "Statement",
    holds: "still holds", wasReplaced: "was replaced", anyState: "any, also forgotten",
    text: "Memory", importance: "Importance", recalls: "Recalls", created: "Stored", recalled: "Last recalled", leaving: "Leaves", score: "Score", never: "never",
    columns: "Columns", sortBy: (label: string) => `Sort by ${label}`, select: (text: string) => `Select: ${text}`, selectAll: "Select all on this page",
    selected: (count: string) => `${count} selected`, pin: "Pin", forget: "Let go", restore: "Restore", tag: "Tag", tagName: "Tag to add", addTag: "Add tag", open: "Open its page", close: "Close", unselect: "Clear selection",
    pinned: (count: string) => `${count} pinned.`, forgotten: (count: string) => `${count} let go. They can be restored for seven days.`, restored: (count: string) => `${count} restored.`, tagged: (count: string) => `${count} tagged.`,
    partly: (done: string, failed: string, why: string) => `${done} done, ${failed} refused: ${why}`,
    export: "Export", exportCsv: "as CSV", exportJson: "as JSON Lines", exported: (count: string, name: string) => `${count} memories in ${name}.`,
    before: "Previous page", after: "Next page", pageOf: (page: string, of: string) => `Page ${page} of ${of}`, details: "Details", replaces: "Replaces", replacedBy: "Replaced by a newer statement", facts: "What it says", next: "The next below, the previous above: arrow keys.",
  },
  ko: {
    title: "모든 기억", about: "기억하고 있는 모든 것입니다. 정렬하고, 거르고, 자세히 보고, 여러 개를 한 번에 고칠 수 있습니다.", table: "모든 기억",
    count: (count: string) => `기억 ${count}개`, one: "기억 1개", none: "조건에 맞는 기억이 없습니다", noneBody: "조건을 줄이거나 다른 것을 찾아보세요.", clear: "조건 모두 지우기",
    filter: "조건", filterHint: "사람, 수명, 낱말 …", suggestions: "추천", contains: (text: string) => `내용에 “${text}” 포함`, remove: (label: string) => `조건 지우기: ${label}`,
    field_about: "대상", field_attribute: "항목", field_tier: "수명", field_zone: "궤도", field_emotion: "감정", field_session_id: "대화", field_source: "출처",
    field_state: "상태", field_protection: "보호", field_tag: "태그", field_project: "프로젝트", field_text: "내용", field_current: "유효성",
    holds: "지금도 맞음", wasReplaced: "새 내용으로 바뀜", anyState: "잊은 것까지 모두",
    text: "기억", importance: "중요도", recalls: "떠올린 횟수", created: "저장한 때", recalled: "마지막으로 떠올린 때", leaving: "떠나는 때", score: "점수", never: "없음",
    columns: "열 고르기", sortBy: (label: string) => `${label} 순으로 정렬`, select: (text: string) => `선택: ${text}`, selectAll: "이 쪽 모두 선택",
    selected: (count: string) => `${count}개 선택`, pin: "고정", forget: "보내기", restore: "되살리기", tag: "태그", tagName: "더할 태그", addTag: "태그 더하기", open: "자세한 화면 열기", close: "닫기", unselect: "선택 해제",
    pinned: (count: string) => `${count}개를 고정했습니다.`, forgotten: (count: string) => `${count}개를 보냈습니다. 7일 동안 되살릴 수 있습니다.`, restored: (count: string) => `${count}개를 되살렸습니다.`, tagged: (count: string) => `${count}개에 태그를 달았습니다.`,
    partly: (done: string, failed: string, why: string) => `${done}개는 했고, ${failed}개는 거절되었습니다: ${why}`,
    export: "내보내기", exportCsv: "CSV로", exportJson: "JSON Lines로", exported: (count: string, name: string) => `기억 ${count}개를 ${name} 파일에 담았습니다.`,
    before: "이전 쪽", after: "다음 쪽", pageOf: (page: string, of: string) => `${of}쪽 중 ${page}쪽`, details: "자세히", replaces: "대신한 내용", replacedBy: "더 새로운 내용으로 바뀌었습니다", facts: "담긴 사실", next: "위아래 화살표로 다른 기억을 봅니다.",
  },
});
