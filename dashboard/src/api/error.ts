/** What the API refused, in the reader's language. */

import { language, type Text } from "../i18n.ts";

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
}

/** By the problem's stable code; where there is none here, by its status. English comes from the server's own words. */
const KOREAN: Readonly<Record<string, string>> = {
  not_found: "그런 기억이 없습니다. 이미 사라졌을 수 있습니다.",
  changed_since: "그사이 다른 곳에서 바뀌었습니다. 바꾼 것은 없습니다. 다시 읽고 필요한 것만 고치세요.",
  protected: "보호된 기억이라 바꿀 수 없습니다.",
  wrong_state: "지금 상태에서는 할 수 없는 일입니다.",
  cannot_undo: "이 일은 되돌릴 수 없습니다. 더 나중에 바뀐 것부터 되돌려 보세요.",
  empty_content: "내용이 비어 있습니다. 글자를 하나 이상 넣으세요.",
  content_too_large: "내용이 너무 깁니다. 여러 기억으로 나누어 보세요.",
  secret: "기억하면 안 되는 비밀이 들어 있어 저장하지 않았습니다. 빼고 다시 해 보세요.",
  invalid_input: "값이 올바르지 않습니다. 아무것도 바뀌지 않았습니다.",
  busy: "다른 프로그램이 데이터베이스를 쓰고 있습니다. 잠시 뒤에 다시 해 보세요.",
  disk_full: "디스크에 남은 공간이 없습니다. 공간을 비우고 다시 해 보세요.",
  already_decided: "이미 결정된 제안입니다. 바뀐 것은 없습니다.",
  approval: "이 제안은 실행할 수 없습니다. 바뀐 것은 없습니다.",
  approval_token: "승인에 쓴 표가 더는 유효하지 않습니다. 제안을 다시 열어 보고 승인하세요.",
  not_the_user: "이 제안은 사용자만 결정할 수 있습니다.",
  proposal_changed: "제안이 다루는 내용이 그사이 바뀌었습니다. 거절하고 필요하면 새로 제안하세요.",
  proposal_expired: "제안의 기한이 지났습니다. 아직 필요하면 새로 제안하세요.",
  token_not_found: "그런 토큰이 없거나 이미 폐기되었습니다.",
  proposal_not_found: "그런 제안이 없습니다.",
  too_much_change: "하루에 바뀔 수 있는 것보다 자아가 많이 바뀝니다. 내일 승인해 주세요.",
  persona_registry: "페르소나 레지스트리를 쓸 수 없습니다. 언어 모델이 설정되어 있는지 확인하거나 오프라인으로 실행하세요.",
  persona_run: "페르소나가 답하지 못했습니다. 그 전의 답은 저장되어 있고, 이어서 실행할 수 있습니다.",
  persona_session_not_found: "그런 페르소나 실행이 없습니다.",
  turn_not_found: "피드백을 남길 대화가 없습니다.",
  scope: "이 일을 할 권한이 없습니다.",
  too_many: "너무 자주 요청했습니다. 잠시 뒤에 다시 해 보세요.",
  "401": "로그인이 끝났습니다. 새 링크로 다시 들어오세요.",
  "403": "허락되지 않은 일입니다.",
  "404": "찾을 수 없습니다.",
  "409": "지금은 할 수 없는 일입니다. 바뀐 것은 없습니다.",
  "412": "그사이 바뀌었습니다. 다시 읽어 주세요.",
  "413": "보내려는 것이 너무 큽니다.",
  "422": "값이 올바르지 않습니다. 아무것도 바뀌지 않았습니다.",
  "429": "너무 자주 요청했습니다. 잠시 뒤에 다시 해 보세요.",
  "502": "임베딩 또는 언어 모델이 응답하지 않습니다. 기억은 그대로 있습니다.",
  "503": "서버가 잠시 바쁩니다. 곧 다시 해 보세요.",
};
const UNEXPECTED = "서버에서 문제가 생겼습니다. 자세한 내용은 서버 로그에 있습니다.";

/** A server on this machine is reached without any network. */
const isHere = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.");

/** A refusal or a failure of the API: `code` is stable, `text` says it in both languages, `message` in the one now. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly text: Text;

  constructor(status: number, code: string, text: Text) {
    super(text[language()]);
    this.name = "ApiError";
    [this.status, this.code, this.text] = [status, code, text];
  }

  /** The answer to a request that was refused. */
  static async of(response: Response): Promise<ApiError> {
    const problem = (await response.json().catch(() => ({}))) as Problem;
    const code = problem.code ?? `http_${response.status}`;
    const en = problem.detail ?? problem.title ?? `The server answered ${response.status}.`;
    return new ApiError(response.status, code, { en, ko: KOREAN[code] ?? KOREAN[response.status] ?? UNEXPECTED });
  }

  /** The server was not reached at all. */
  static unreachable(): ApiError {
    if (!navigator.onLine && !isHere(location.hostname)) {
      return new ApiError(0, "offline", {
        en: "You are offline. What you wrote stays here; try again once you are connected.",
        ko: "인터넷에 연결되어 있지 않습니다. 쓴 글은 그대로 있으니 연결된 뒤 다시 해 보세요.",
      });
    }
    return new ApiError(0, "unreachable", {
      en: "The server cannot be reached. Is `celestial serve` still running?",
      ko: "서버에 연결할 수 없습니다. `celestial serve`가 실행 중인지 확인하세요.",
    });
  }
}

/** Whatever was thrown, as something to say to the reader. */
export function explained(error: unknown): string {
  if (error instanceof ApiError) return error.text[language()];
  return language() === "ko" ? "화면을 그리다가 문제가 생겼습니다." : "Something went wrong while drawing this.";
}

/** The view ended before its answer came: nothing to tell anybody. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";
