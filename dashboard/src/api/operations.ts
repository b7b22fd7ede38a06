// Written by scripts/write_types.py from the declared operations; do not edit.

export interface Filter {
  since?: string | null;
  until?: string | null;
  session_id?: string | null;
  persona_id?: string | null;
  project?: string | null;
  domain?: string | null;
  tags?: readonly string[];
  min_importance?: number | null;
  emotion?: string | null;
  zone?: string | null;
  tier?: "M30" | "M90" | "M365" | "M0" | null;
}

export interface Context {
  text: string;
  tokens: number;
  budget: number;
  used: readonly Told[];
  left_out: number;
}

export interface Told {
  id: string;
  level: number;
  tokens: number;
}

export interface Hits {
  hits: readonly Found[];
  stages: Readonly<Record<string, string>>;
}

export interface Found {
  memory: Memory;
  relevance: number;
  lists: readonly string[];
  parts: Readonly<Record<string, number>> | null;
}

export interface Memory {
  id: string;
  content: string;
  zone: string;
  tier: string;
  state: string;
  importance: number;
  score: number;
  recall_count: number;
  mention_count: number;
  created_at: string;
  last_recalled_at: string;
  expires_at: string | null;
  category: string | null;
  gist: string | null;
  facts: readonly string[];
  keywords: readonly string[];
  tags: readonly string[];
  emotions: readonly string[];
  intensity: number;
  protection: string;
  source: string;
  trust: string;
  session_id: string | null;
  persona_id: string | null;
  project: string | null;
  domain: string | null;
  related: readonly string[];
  user_rating: number | null;
  superseded_by: string | null;
  purge_at: string | null;
  departed_for: string | null;
  version: string;
  metadata: Readonly<Record<string, unknown>>;
}

export interface Relatives {
  related: readonly Tied[];
}

export interface Tied {
  memory: Memory;
  distance: number;
  linked: boolean;
  shared: readonly string[];
  negative: boolean;
}

export interface Memories {
  memories: readonly Memory[];
  next: string | null;
}

export interface SessionIds {
  session_ids: readonly string[];
}

export interface Stats {
  total: number;
  cliff: number;
  zones: Readonly<Record<string, number>>;
  tiers: Readonly<Record<string, number>>;
  categories: Readonly<Record<string, number>>;
  states: Readonly<Record<string, number>>;
}

export interface Explanation {
  id: string;
  zone: string;
  score: number;
  recall: number;
  freshness: number;
  importance: number;
  context: number;
  drifts: readonly Drift[];
}

export interface Drift {
  zone: string;
  at: string;
}

export interface Happenings {
  events: readonly Happening[];
  next: string | null;
}

export interface Happening {
  number: number;
  type: string;
  at: string;
  memory_id: string | null;
  detail: Readonly<Record<string, unknown>>;
}

export interface Asked {
  calls: number;
  tokens: number;
  model: string | null;
}

export interface Said {
  content: string;
  role?: "user" | "assistant" | "system" | "tool";
  action?: "save" | "skip" | "retrieve" | null;
  memory_id?: string | null;
}

export interface Decided {
  turn_id: string;
  action: "save" | "skip" | "retrieve";
  reason: string;
  phase: string;
  confidence: number;
  importance: number;
  fetches: boolean;
  duplicate_of: string | null;
  explored: boolean;
}

export interface Observation {
  decision: Decided;
  memory: Memory | null;
  context: string;
  used: readonly string[];
  problem: string | null;
}

export interface Perceived {
  importance: number;
  category: string;
  question: boolean;
  personal: boolean;
  preference: boolean;
  technical: boolean;
  emotion: boolean;
  remember: boolean;
  small_talk: boolean;
  prose: boolean;
}

export interface Credited {
  turn_id: string;
  reward: number;
  kind: string;
  credited: boolean;
  version: number;
  switched_off: readonly string[];
}

export interface Status {
  enabled: boolean;
  on: boolean;
  reranker_on: boolean;
  version: number;
  epsilon: number;
  updates: number;
  reranker_updates: number;
  rewards: number;
  mean_reward: number;
  trust: number;
  band_low: number;
  band_high: number;
  actions: Readonly<Record<string, number>>;
  exams: Readonly<Record<string, Standing>>;
  damaged: readonly number[];
}

export interface Standing {
  exams: number;
  mean_reward: number;
}

export interface Versions {
  checkpoints: readonly Version[];
}

export interface Version {
  version: number;
  at: string;
  rewards: number;
  metrics: Readonly<Record<string, unknown>>;
}

export interface PendingList {
  pending: readonly ToDistil[];
}

export interface ToDistil {
  token: string;
  tier: string;
  prompt: string;
  sources: readonly string[];
  current: string | null;
}

export interface Proposals {
  proposals: readonly Proposal[];
}

export interface Proposal {
  id: string;
  kind: "core_promotion" | "core_change" | "core_deletion" | "island_founded" | "island_changed" | "belief_formed" | "belief_changed" | "soul_edit" | "self_rollback";
  status: "pending" | "approved" | "rejected" | "expired" | "withdrawn";
  changes: readonly Change[];
  reasons: Readonly<Record<string, unknown>>;
  evidence: readonly string[];
  proposed_at: string;
  expires_at: string;
  proposed_by: string;
  channel: "cli" | "dashboard" | "mcp" | "rest" | "host" | "soul" | "sleep" | "agent";
  decided_at: string | null;
  decided_by: string | null;
}

export interface Change {
  on: string;
  id: string;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
}

export interface Opened {
  proposal: Proposal;
  token: string;
}

export interface Self {
  version: number;
  islands: readonly Island[];
  beliefs: readonly Belief[];
}

export interface Island {
  id: string;
  name: string;
  emoji: string;
  description: string;
  status: "active" | "shaking" | "collapsed" | "rebuilding";
  strength: number;
  founders: readonly string[];
}

export interface Belief {
  id: string;
  statement: string;
  confidence: number;
  supports: readonly string[];
  island: string | null;
  formed_at: string;
}

export interface SelfVersions {
  versions: readonly SelfThen[];
}

export interface SelfThen {
  version: number;
  at: string;
  proposal: string;
  kind: "core_promotion" | "core_change" | "core_deletion" | "island_founded" | "island_changed" | "belief_formed" | "belief_changed" | "soul_edit" | "self_rollback";
  by: string;
  channel: "cli" | "dashboard" | "mcp" | "rest" | "host" | "soul" | "sleep" | "agent";
  formed: number;
  altered: number;
  islands: readonly Island[];
  beliefs: readonly Belief[];
}

export interface Text {
  text: string;
}

export interface Night {
  at: string;
  dry_run: boolean;
  busy: string | null;
  woken: boolean;
  before: Readonly<Record<string, Readonly<Record<string, number>>>>;
  after: Readonly<Record<string, Readonly<Record<string, number>>>>;
  duties: readonly DutyDone[];
}

export interface DutyDone {
  duty: "supersede" | "consolidate" | "regenerate" | "appraise" | "promote-m90" | "promote-m365" | "nominate" | "reflect" | "expire" | "fade" | "retain" | "checkpoint" | "report" | "rebalance" | "tidy";
  outcome: "done" | "planned" | "held" | "failed";
  counts: Readonly<Record<string, number>>;
  seconds: number;
  error: string | null;
  planned: readonly PlannedChange[];
}

export interface PlannedChange {
  id: string;
  change: string;
  other: string | null;
}

export interface Schedule {
  duties: readonly DutyTime[];
  asleep: string | null;
}

export interface DutyTime {
  duty: "supersede" | "consolidate" | "regenerate" | "appraise" | "promote-m90" | "promote-m365" | "nominate" | "reflect" | "expire" | "fade" | "retain" | "checkpoint" | "report" | "rebalance" | "tidy";
  last_run: string | null;
  next_run: string;
  due: boolean;
}

export interface Nights {
  nights: readonly Night[];
}

export interface Imagined {
  idea: Idea | null;
  why_not: string | null;
}

export interface Idea {
  id: string;
  at: string;
  trigger: string;
  pattern: string;
  memories: readonly string[];
  scenario: string;
  action: string | null;
  emotion: string;
  by: string;
  liked: boolean | null;
}

export interface Ideas {
  ideas: readonly Idea[];
}

export interface Patterns {
  patterns: readonly Pattern[];
}

export interface Pattern {
  pattern: string;
  strength: number;
  liked: number;
  rejected: number;
  ignored: number;
}

export interface Records {
  records: readonly (Readonly<Record<string, unknown>>)[];
  next: string | null;
}

export interface Imported {
  added: number;
  known: number;
}

export interface Then {
  memories: readonly Memory[];
  gone: readonly string[];
}

export interface Repaired {
  lines: number;
}

export interface Compressed {
  files: readonly string[];
}

export interface Verified {
  ok: boolean;
  entries: number;
  head: string | null;
  fault: string | null;
}

export interface LedgerHead {
  head: string | null;
}

export interface Backup {
  path: string;
  size_bytes: number;
  memories: number;
  events: number;
  problems: readonly string[];
}

export interface Retained {
  dry_run: boolean;
  archived: number;
  forgotten: number;
  problems: readonly string[];
}

export interface ArchiveList {
  archives: readonly Archive[];
}

export interface Archive {
  file: string;
  session_id: string | null;
  memories: number;
  size_bytes: number;
  problems: readonly string[];
}

export interface BroughtBack {
  ids: readonly string[];
  problems: readonly string[];
}

export interface Rebalanced {
  moved: number;
  evicted: number;
  forgotten: number;
  purged: number;
  visited: number;
}

export interface Reindexed {
  embedded: number;
  failed: number;
}

export interface Reworded {
  memories: number;
}

export interface Checked {
  problems: readonly string[];
}

export interface Orbits {
  at: number;
  total: number;
  zones: readonly Orbit[];
  ids: readonly string[];
  zone: readonly number[];
  score: readonly number[];
  importance: readonly number[];
  tier: readonly string[];
  protection: readonly string[];
  state: readonly string[];
  emotions: readonly (readonly (readonly [string, number])[])[];
  recalled_at: readonly number[];
  created_at: readonly number[];
  recalls: readonly number[];
  label: readonly string[];
}

export interface Orbit {
  zone: number;
  name: string;
  lower: number | null;
  slots: number | null;
}

export interface OrbitsThen {
  moments: readonly number[];
  zones: readonly Orbit[];
  ids: readonly string[];
  label: readonly string[];
  importance: readonly number[];
  tier: readonly string[];
  emotions: readonly (readonly (readonly [string, number])[])[];
  created_at: readonly number[];
  zone: readonly (readonly (readonly [number, number])[])[];
  score: readonly (readonly (readonly [number, number])[])[];
  gone: number;
}

export interface Outlook {
  points: readonly (readonly [number, number])[];
  crossings: readonly (readonly [number, number, number])[];
  breakdown: Parts;
  weights: Weights;
  expires_at: number | null;
}

export interface Parts {
  score: number;
  recall: number;
  freshness: number;
  importance: number;
  context: number;
}

export interface Weights {
  recall: number;
  freshness: number;
  importance: number;
  context: number;
}

export interface Insight {
  days: readonly OneDay[];
  zones: Readonly<Record<string, number>>;
  tiers: Readonly<Record<string, number>>;
  promotions: readonly Flow[];
  departures: readonly Flow[];
  moods: readonly DayMood[];
  learning: readonly Learnt[];
}

export interface OneDay {
  start: number;
  stored: number;
  recalled: number;
  forgotten: number;
  restored: number;
  purged: number;
  total: number;
}

export interface Flow {
  source: string;
  target: string;
  count: number;
}

export interface DayMood {
  start: number;
  emotions: Readonly<Record<string, number>>;
  sentiment: number;
}

export interface Learnt {
  version: number;
  at: number;
  rewards: number;
  metrics: Readonly<Record<string, unknown>>;
}

export interface GuardRules {
  rules: readonly GuardRule[];
  version: number;
}

export interface GuardRule {
  kind: string;
  action: string;
  marker: string;
  marker_ko: string;
}

export interface InsightStatus {
  version: string;
  embedder: string | null;
  dimensions: number | null;
  without_vector: number;
  words: string | null;
  model: string | null;
  model_uses: readonly string[];
  model_calls_today: number;
  model_tokens_today: number;
  schedule: readonly NextDuty[];
  database: string | null;
  ledger: string | null;
  archive: string | null;
  size_bytes: number | null;
  states: Readonly<Record<string, number>>;
  entries: number;
}

export interface NextDuty {
  duty: string;
  last: string | null;
  next: string | null;
}

export interface Tokens {
  tokens: readonly Token[];
}

export interface Token {
  id: string;
  name: string;
  scopes: readonly string[];
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  expires_at: string | null;
}

export interface MadeToken {
  token: Token;
  secret: string;
}

export interface Added {
  added: number;
}

export interface Removed {
  removed: number;
  kept: number;
}

/** What each operation is asked and answers. */
export interface Operations {
  /** Call at the start of every turn: the memories that suit what the user just said, ready for the prompt. */
  auto_search: {
    ask: {
      query: string;
      budget?: number;
      limit?: number;
      where?: Filter | null;
      reinforce?: boolean;
    };
    answer: Context;
  };
  /** Find memories by meaning, words and relations, best first; what is found becomes more central. */
  memory_search: {
    ask: {
      query: string;
      limit?: number;
      where?: Filter | null;
      reinforce?: boolean;
      explain?: boolean;
    };
    answer: Hits;
  };
  /** Follow a memory's links and the people and things it tells of to other memories, up to three steps. */
  memory_get_related: {
    ask: {
      id: string;
      depth?: number;
      limit?: number;
    };
    answer: Relatives;
  };
  /** Remember one thing about the user or the work for later conversations; secrets are redacted. */
  memory_save: {
    ask: {
      content: string;
      importance?: number | null;
      tags?: readonly string[];
      tier?: "M30" | "M90" | "M365" | "M0" | null;
      pinned?: boolean;
      immutable?: boolean;
      session_id?: string | null;
      persona_id?: string | null;
      project?: string | null;
      domain?: string | null;
      related?: readonly string[];
      metadata?: Readonly<Record<string, unknown>>;
      idempotency_key?: string | null;
    };
    answer: Memory;
  };
  /** Correct or extend a memory; what it said before stays in its history and can be undone. */
  memory_update: {
    ask: {
      id: string;
      content?: string | null;
      importance?: number | null;
      metadata?: Readonly<Record<string, unknown>> | null;
      tags?: readonly string[] | null;
      if_version?: string | null;
    };
    answer: Memory;
  };
  /** Keep a memory from ever being forgotten on its own. */
  memory_pin: {
    ask: {
      id: string;
    };
    answer: Memory;
  };
  /** Let a pinned memory age again. */
  memory_unpin: {
    ask: {
      id: string;
    };
    answer: Memory;
  };
  /** Note the user's stars, 1 to 5, on a memory; they raise or lower its importance. */
  memory_rate: {
    ask: {
      id: string;
      stars: number;
    };
    answer: Memory;
  };
  /** Let a memory go; it can be restored for seven days. */
  memory_delete: {
    ask: {
      id: string;
      if_version?: string | null;
    };
    answer: Memory;
  };
  /** Let all memories that a filter asks for go; they can be restored for seven days. */
  memory_forget_where: {
    ask: {
      where: Filter;
    };
    answer: Memories;
  };
  /** What was forgotten and can still be restored, with the moment it will be gone. */
  cliff_list: {
    ask: {
      limit?: number;
      cursor?: string | null;
    };
    answer: Memories;
  };
  /** Bring forgotten memories back, with the full time of their lifetime. */
  memory_restore: {
    ask: {
      ids?: readonly string[];
      reason?: "expired" | "displaced" | "manual" | "stale" | "merged" | null;
    };
    answer: Memories;
  };
  /** One memory, whole, by its id. */
  memory_get: {
    ask: {
      id: string;
    };
    answer: Memory;
  };
  /** The newest memories, or those that a filter asks for. */
  memory_list: {
    ask: {
      limit?: number;
      cursor?: string | null;
      where?: Filter | null;
    };
    answer: Memories;
  };
  /** The conversations that memories belong to. */
  session_list: {
    ask: {
      where?: Filter | null;
    };
    answer: SessionIds;
  };
  /** How many memories there are, by zone, lifetime, category and state. */
  memory_stats: {
    ask: Record<never, never>;
    answer: Stats;
  };
  /** Why a memory is where it is: the parts of its score, and when it will drift to which zone. */
  memory_explain: {
    ask: {
      id: string;
    };
    answer: Explanation;
  };
  /** What happened to a memory, or to all of them, newest first; from the ledger. */
  memory_history: {
    ask: {
      id?: string | null;
      limit?: number;
      cursor?: string | null;
    };
    answer: Happenings;
  };
  /** What language models were asked today, of all owners. */
  model_spent: {
    ask: Record<never, never>;
    answer: Asked;
  };
  /** What to do with a turn of the conversation: save it, skip it, or retrieve memories for it; nothing is done. */
  policy_decide: {
    ask: {
      content: string;
      role?: "user" | "assistant" | "system" | "tool";
      history?: readonly Said[];
      turn_id?: string | null;
    };
    answer: Decided;
  };
  /** Decide about a turn and do it: save what is worth it, and give the memories that help with the answer. */
  turn_observe: {
    ask: {
      content: string;
      role?: "user" | "assistant" | "system" | "tool";
      history?: readonly Said[];
      turn_id?: string | null;
      session_id?: string | null;
      budget?: number;
    };
    answer: Observation;
  };
  /** What can be seen of a turn, whatever is stored. */
  turn_perceive: {
    ask: {
      content: string;
      role?: "user" | "assistant" | "system" | "tool";
    };
    answer: Perceived;
  };
  /** What a turn was worth, as a number or in the user's words; deciding and ranking learn from it. */
  feedback: {
    ask: {
      reward?: number | null;
      text?: string | null;
      turn_id?: string | null;
      session_id?: string | null;
    };
    answer: Credited;
  };
  /** How the part that learns stands, and whether it may decide. */
  policy_status: {
    ask: Record<never, never>;
    answer: Status;
  };
  /** The versions of what was learned that are kept, newest first. */
  policy_checkpoints: {
    ask: Record<never, never>;
    answer: Versions;
  };
  /** Back to what a version knew, as a new version. */
  policy_rollback: {
    ask: {
      version: number;
    };
    answer: Version;
  };
  /** Bring one memory to mind: counted and fresh, and whole again if it had faded. */
  memory_remind: {
    ask: {
      id: string;
    };
    answer: Memory;
  };
  /** Note that something was done differently because of a memory. */
  memory_influenced: {
    ask: {
      id: string;
    };
    answer: Memory;
  };
  /** Memories that could become core memories, which are never forgotten, if the user agrees. */
  core_nominations: {
    ask: Record<never, never>;
    answer: Memories;
  };
  /** Make a nominated memory a core memory, on the user's own word and never without it. */
  core_approve: {
    ask: {
      id: string;
    };
    answer: Memory;
  };
  /** Memories whose essence is to be written, each with a prompt and a token. */
  distill_pending: {
    ask: {
      limit?: number;
    };
    answer: PendingList;
  };
  /** Hand in the essence of a pending entry; what no source says is refused. */
  distill_commit: {
    ask: {
      token: string;
      text: string;
    };
    answer: Memory;
  };
  /** What waits for the user's word: core memories, islands, beliefs. */
  inbox_list: {
    ask: {
      status?: "pending" | "approved" | "rejected" | "expired" | "withdrawn" | null;
      limit?: number;
    };
    answer: Proposals;
  };
  /** One proposal: what it would change, why, and on what ground. */
  proposal_show: {
    ask: {
      proposal: string;
    };
    answer: Proposal;
  };
  /** One proposal with a token to approve it by: good once, for exactly this diff. */
  proposal_open: {
    ask: {
      proposal: string;
    };
    answer: Opened;
  };
  /** Carry out a proposal, on the user's own word and never without it. */
  proposal_approve: {
    ask: {
      proposal: string;
      token?: string | null;
    };
    answer: Proposal;
  };
  /** Turn a proposal down, on the user's own word. */
  proposal_reject: {
    ask: {
      proposal: string;
    };
    answer: Proposal;
  };
  /** Propose a memory that has lasted as a core memory; the user decides. */
  propose_core: {
    ask: {
      id: string;
    };
    answer: Proposal;
  };
  /** Propose a personality island founded by core memories; the user decides. */
  propose_island: {
    ask: {
      name: string;
      founders: readonly string[];
      emoji?: string;
      description?: string;
    };
    answer: Proposal;
  };
  /** Propose a belief about who you are, held up by lasting memories; the user decides. */
  propose_belief: {
    ask: {
      statement: string;
      supports: readonly string[];
      island?: string | null;
    };
    answer: Proposal;
  };
  /** Propose to go back to an earlier version of the self; the user decides. */
  propose_rollback: {
    ask: {
      version: number;
    };
    answer: Proposal;
  };
  /** The approved self: personality islands and beliefs. */
  self_show: {
    ask: Record<never, never>;
    answer: Self;
  };
  /** Every version of the self that was approved, newest first, and by whose word. */
  self_versions: {
    ask: {
      limit?: number;
    };
    answer: SelfVersions;
  };
  /** Who you are, as the user approved it, for your own prompt. */
  self_context: {
    ask: {
      budget?: number;
    };
    answer: Text;
  };
  /** SOUL.md: the approved self as a page. */
  soul_show: {
    ask: Record<never, never>;
    answer: Text;
  };
  /** Do the night's work that is due: merge repeats, end what was superseded, promote, fade, forget; dry_run only tells what would happen. */
  sleep_cycle_run: {
    ask: {
      dry_run?: boolean;
      duties?: readonly ("supersede" | "consolidate" | "regenerate" | "appraise" | "promote-m90" | "promote-m365" | "nominate" | "reflect" | "expire" | "fade" | "retain" | "checkpoint" | "report" | "rebalance" | "tidy")[] | null;
      force?: boolean;
      allow_large?: boolean;
    };
    answer: Night;
  };
  /** When each duty of the night was last done, and when it is due. */
  sleep_status: {
    ask: Record<never, never>;
    answer: Schedule;
  };
  /** The last nights, newest first, in numbers. */
  sleep_reports: {
    ask: {
      limit?: number;
    };
    answer: Nights;
  };
  /** The night's work of every owner in the database. */
  sleep_everybody: {
    ask: {
      dry_run?: boolean;
      duties?: readonly ("supersede" | "consolidate" | "regenerate" | "appraise" | "promote-m90" | "promote-m365" | "nominate" | "reflect" | "expire" | "fade" | "retain" | "checkpoint" | "report" | "rebalance" | "tidy")[] | null;
      force?: boolean;
      allow_large?: boolean;
    };
    answer: Nights;
  };
  /** Something that could be done now, from what is remembered; at most three a day, if it is wanted. */
  imagine: {
    ask: {
      context?: string | null;
      idle_seconds?: number | null;
    };
    answer: Imagined;
  };
  /** What was imagined and is still remembered, newest first. */
  imagination_list: {
    ask: {
      limit?: number;
    };
    answer: Ideas;
  };
  /** Whether an idea was welcome: others like it come more easily, or less. */
  imagination_feedback: {
    ask: {
      id: string;
      liked: boolean;
    };
    answer: Idea;
  };
  /** How welcome each kind of idea has been. */
  imagination_patterns: {
    ask: Record<never, never>;
    answer: Patterns;
  };
  /** Remember many texts at once: all of them, or none. */
  memory_save_many: {
    ask: {
      contents: readonly string[];
      importance?: number | null;
      session_id?: string | null;
    };
    answer: Memories;
  };
  /** Every memory with every field, page by page, those on the cliff and in archives too. */
  memory_export: {
    ask: {
      limit?: number;
      cursor?: string | null;
    };
    answer: Records;
  };
  /** Bring exported records in with their ids, times, protection and lifetimes: needs the user's own word. */
  memory_import: {
    ask: {
      records: readonly (Readonly<Record<string, unknown>>)[];
    };
    answer: Imported;
  };
  /** Remember a coordinate document; its id, its time and its coordinates stay. */
  coordinate_add: {
    ask: {
      document: Readonly<Record<string, unknown>>;
    };
    answer: Memory;
  };
  /** The memories as they were at a moment, to list or to search; nothing is reinforced. */
  memory_as_of: {
    ask: {
      at: string;
      query?: string | null;
      limit?: number;
      where?: Filter | null;
    };
    answer: Then;
  };
  /** Take one change of a memory back: a store, update, deletion, merge, rating or pin. */
  undo: {
    ask: {
      event: number;
    };
    answer: Memory;
  };
  /** Write what the host program did into the ledger, where it stays for good; texts become digests. */
  event_log: {
    ask: {
      session_id: string;
      event_type: string;
      persona_id?: string | null;
      memory_id?: string | null;
      memory_refs?: readonly string[];
      bqi_coordinate?: Readonly<Record<string, unknown>> | null;
      evaluation?: Readonly<Record<string, unknown>> | null;
      plan_adjustment?: Readonly<Record<string, unknown>> | null;
    };
    answer: Happening;
  };
  /** Write what the ledger's daily files lack. */
  ledger_repair: {
    ask: Record<never, never>;
    answer: Repaired;
  };
  /** Pack the ledger's daily files of past years. */
  ledger_compress: {
    ask: Record<never, never>;
    answer: Compressed;
  };
  /** Check the chain of the ledger: nothing edited, removed, inserted or reordered. */
  ledger_verify: {
    ask: {
      head?: string | null;
    };
    answer: Verified;
  };
  /** The newest entry of the ledger, to be kept elsewhere. */
  ledger_head: {
    ask: Record<never, never>;
    answer: LedgerHead;
  };
  /** A checked copy of the whole database, while it is in use. */
  backup_create: {
    ask: Record<never, never>;
    answer: Backup;
  };
  /** Archive what is idle and let go of what is too much, by a policy; a dry run unless told. */
  retention_run: {
    ask: {
      preset?: string;
      dry_run?: boolean;
    };
    answer: Retained;
  };
  /** The archived sessions. */
  archive_list: {
    ask: Record<never, never>;
    answer: ArchiveList;
  };
  /** An archived session, or one memory of it, back into orbit. */
  archive_bring_back: {
    ask: {
      which: string;
    };
    answer: BroughtBack;
  };
  /** Put every memory where its score says. */
  rebalance: {
    ask: Record<never, never>;
    answer: Rebalanced;
  };
  /** Give every memory without a vector one. */
  reindex: {
    ask: Record<never, never>;
    answer: Reindexed;
  };
  /** Make the word index anew. */
  reindex_words: {
    ask: Record<never, never>;
    answer: Reworded;
  };
  /** Make anew what can be derived from the memories; tells what is still wrong. */
  repair: {
    ask: Record<never, never>;
    answer: Checked;
  };
  /** Look for damage in the stored data. */
  check: {
    ask: Record<never, never>;
    answer: Checked;
  };
  /** Every memory in orbit with its zone and score now, the most central first, in columns. */
  orbits: {
    ask: {
      limit?: number;
    };
    answer: Orbits;
  };
  /** Where memories were at moments of the past, as the ledger tells it, for a replay. */
  orbits_past: {
    ask: {
      start?: string | null;
      end?: string | null;
      frames?: number;
      limit?: number;
    };
    answer: OrbitsThen;
  };
  /** How a memory's score will fall, and through which zones, if nobody recalls it. */
  memory_outlook: {
    ask: {
      id: string;
      days?: number;
    };
    answer: Outlook;
  };
  /** Days in numbers: what came, went and was felt, what moved between lifetimes, what was learned. */
  insight: {
    ask: {
      days?: number;
      utc_offset?: number;
    };
    answer: Insight;
  };
  /** Which kinds of secrets are redacted, blocked or allowed. */
  guard_rules: {
    ask: Record<never, never>;
    answer: GuardRules;
  };
  /** What this memory works with, and when the night's work is next. */
  server_status: {
    ask: Record<never, never>;
    answer: InsightStatus;
  };
  /** The tokens and sessions that were given for this owner's memories, never the secrets. */
  token_list: {
    ask: Record<never, never>;
    answer: Tokens;
  };
  /** A new token for this owner's memories; its secret is told once. */
  token_create: {
    ask: {
      name: string;
      scopes?: readonly ("read" | "write" | "approve" | "admin")[];
    };
    answer: MadeToken;
  };
  /** End what one of this owner's tokens or sessions allows, at once. */
  token_revoke: {
    ask: {
      id: string;
    };
    answer: Token;
  };
  /** Put in some three hundred memories of a made-up life, to look around with. */
  demo_add: {
    ask: {
      language?: "en" | "ko";
    };
    answer: Added;
  };
  /** Take the made-up memories out again, wholly, and nothing else. */
  demo_remove: {
    ask: Record<never, never>;
    answer: Removed;
  };
}

export type Route = readonly [method: string, path: string, headers?: Readonly<Record<string, string>>];

export const ROUTES: { readonly [Name in keyof Operations]: Route } = {
  auto_search: ["POST", "/context"],
  memory_search: ["POST", "/memories/search"],
  memory_get_related: ["GET", "/memories/{id}/related"],
  memory_save: ["POST", "/memories", {"idempotency_key": "Idempotency-Key"}],
  memory_update: ["PATCH", "/memories/{id}", {"if_version": "If-Match"}],
  memory_pin: ["PUT", "/memories/{id}/pin"],
  memory_unpin: ["DELETE", "/memories/{id}/pin"],
  memory_rate: ["PUT", "/memories/{id}/rating"],
  memory_delete: ["DELETE", "/memories/{id}", {"if_version": "If-Match"}],
  memory_forget_where: ["POST", "/memories/forget"],
  cliff_list: ["GET", "/cliff"],
  memory_restore: ["POST", "/cliff/restore"],
  memory_get: ["GET", "/memories/{id}"],
  memory_list: ["POST", "/memories/list"],
  session_list: ["POST", "/sessions/list"],
  memory_stats: ["GET", "/stats"],
  memory_explain: ["GET", "/memories/{id}/explanation"],
  memory_history: ["GET", "/events"],
  model_spent: ["GET", "/model"],
  policy_decide: ["POST", "/turns/decide"],
  turn_observe: ["POST", "/turns"],
  turn_perceive: ["POST", "/turns/perceive"],
  feedback: ["POST", "/turns/feedback"],
  policy_status: ["GET", "/policy"],
  policy_checkpoints: ["GET", "/policy/checkpoints"],
  policy_rollback: ["POST", "/policy/rollback"],
  memory_remind: ["POST", "/memories/{id}/remind"],
  memory_influenced: ["POST", "/memories/{id}/influence"],
  core_nominations: ["GET", "/nominations"],
  core_approve: ["POST", "/nominations/{id}/approve"],
  distill_pending: ["GET", "/distillation"],
  distill_commit: ["POST", "/distillation"],
  inbox_list: ["GET", "/inbox"],
  proposal_show: ["GET", "/inbox/{proposal}"],
  proposal_open: ["POST", "/inbox/{proposal}/open"],
  proposal_approve: ["POST", "/inbox/{proposal}/approve"],
  proposal_reject: ["POST", "/inbox/{proposal}/reject"],
  propose_core: ["POST", "/proposals/core"],
  propose_island: ["POST", "/proposals/island"],
  propose_belief: ["POST", "/proposals/belief"],
  propose_rollback: ["POST", "/proposals/rollback"],
  self_show: ["GET", "/self"],
  self_versions: ["GET", "/self/versions"],
  self_context: ["GET", "/self/context"],
  soul_show: ["GET", "/self/soul"],
  sleep_cycle_run: ["POST", "/sleep"],
  sleep_status: ["GET", "/sleep"],
  sleep_reports: ["GET", "/sleep/reports"],
  sleep_everybody: ["POST", "/sleep/everybody"],
  imagine: ["POST", "/imagination"],
  imagination_list: ["GET", "/imagination"],
  imagination_feedback: ["PUT", "/imagination/{id}/liked"],
  imagination_patterns: ["GET", "/imagination/patterns"],
  memory_save_many: ["POST", "/memories/batch"],
  memory_export: ["GET", "/export"],
  memory_import: ["POST", "/import"],
  coordinate_add: ["POST", "/coordinates"],
  memory_as_of: ["POST", "/memories/as-of"],
  undo: ["POST", "/events/{event}/undo"],
  event_log: ["POST", "/events"],
  ledger_repair: ["POST", "/ledger/repair"],
  ledger_compress: ["POST", "/ledger/compress"],
  ledger_verify: ["POST", "/ledger/verify"],
  ledger_head: ["GET", "/ledger/head"],
  backup_create: ["POST", "/backups"],
  retention_run: ["POST", "/retention"],
  archive_list: ["GET", "/archives"],
  archive_bring_back: ["POST", "/archives/bring-back"],
  rebalance: ["POST", "/rebalance"],
  reindex: ["POST", "/reindex"],
  reindex_words: ["POST", "/reindex/words"],
  repair: ["POST", "/repair"],
  check: ["GET", "/check"],
  orbits: ["GET", "/orbits"],
  orbits_past: ["GET", "/orbits/past"],
  memory_outlook: ["GET", "/memories/{id}/outlook"],
  insight: ["GET", "/insight"],
  guard_rules: ["GET", "/guard"],
  server_status: ["GET", "/status"],
  token_list: ["GET", "/tokens"],
  token_create: ["POST", "/tokens"],
  token_revoke: ["DELETE", "/tokens/{id}"],
  demo_add: ["POST", "/demo"],
  demo_remove: ["DELETE", "/demo"],
};
