import { texts } from "../i18n.ts";

export const t = texts({
  en: {
    brand: "Celestial", skip: "Skip to content", places: "Views", more: "More", search: "Search memories",
    waiting: (count: number) => `${count} waiting for your word`,
    orbits: "Orbits", ask: "Ask", cliff: "Cliff", approvals: "Approvals", self: "Self", personas: "Personas", insight: "Insight", settings: "Settings",
    connecting: "Connecting", live: "Live", lost: "Connection lost",
    language: "한국어로 보기", auto: "Theme: as the system", dark: "Theme: dark", light: "Theme: light",
    help: "Keyboard shortcuts", goTo: (place: string) => `Go to ${place}`, focusSearch: "Search", showHelp: "This list",
    close: "Close a dialog", move: "Move within lists and tabs",
    signedOut: "You are signed out", link: "Your memories open with a link that only you can make. Run this where the engine runs:",
    once: "Open the link it prints. It works once, and only for a few minutes.",
    noServer: "The server is out of reach", start: "Start it again, then reload this page:", reload: "Reload",
  },
  ko: {
    brand: "Celestial", skip: "본문으로 건너뛰기", places: "화면", more: "더 보기", search: "기억 검색",
    waiting: (count: number) => `승인을 기다리는 제안 ${count}개`,
    orbits: "궤도", ask: "질문", cliff: "절벽", approvals: "승인", self: "자아", personas: "페르소나", insight: "통찰", settings: "설정",
    connecting: "연결하는 중", live: "실시간", lost: "연결이 끊김",
    language: "View in English", auto: "테마: 시스템 설정", dark: "테마: 어둡게", light: "테마: 밝게",
    help: "키보드 단축키", goTo: (place: string) => `${place} 화면으로 가기`, focusSearch: "검색", showHelp: "이 목록",
    close: "대화 상자 닫기", move: "목록과 탭 안에서 이동",
    signedOut: "로그아웃된 상태입니다", link: "기억은 본인만 만들 수 있는 링크로 열립니다. 엔진이 실행되는 곳에서 다음 명령을 실행하세요.",
    once: "출력된 링크를 여세요. 링크는 몇 분 안에 한 번만 쓸 수 있습니다.",
    noServer: "서버에 연결할 수 없습니다", start: "서버를 다시 시작한 뒤 이 페이지를 새로고침하세요.", reload: "새로고침",
  },
});
