/** What a run tells while it goes on. */

import type { PersonaCycle, PersonaStep } from "../../api/operations.ts";

export interface Started {
  readonly session_id: string;
  readonly depth: number;
  readonly cycle: readonly string[];
  readonly resumed: number;
}

export interface Speaking {
  readonly persona_id: string;
  readonly persona_name: string;
  readonly sequence: number;
}

export interface Piece {
  readonly sequence: number;
  readonly text: string;
}

export interface Answered {
  readonly answer: PersonaStep;
}

export type { PersonaCycle, PersonaStep };
