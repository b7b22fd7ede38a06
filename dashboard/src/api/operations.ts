// Written by scripts/write_types.py from the declared operations; do not edit.

export interface MemoryFilter {
  since?: string | null;
  until?: string | null;
  session_id?: string | null;
  persona_id?: string | null;
  project?: string | null;
  domain?: string | null;
  tags?: readonly string[];
  min_importance?: number | null;
  emotion?: "joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral" | null;
  zone?: "core" | "inner" | "outer" | "belt" | "cloud" | null;
  tier?: "M30" | "M90" | "M365" | "M0" | null;
}

export interface PromptContext {
  text: string;
  tokens: number;
  budget: number;
  used: readonly UsedMemory[];
  left_out: number;
  feeling: Feeling | null;
  known: boolean;
  notice: string | null;
  repeated: number;
  ended: number;
}

export interface UsedMemory {
  id: string;
  level: number;
  tokens: number;
  background: boolean;
}

export interface Feeling {
  emotions: readonly string[];
  mixed: string | null;
  intensity: number;
  sentiment: number;
}

export interface UserProfile {
  text: string;
  tokens: number;
  budget: number;
  facts: readonly KnownFact[];
  left_out: number;
}

export interface KnownFact {
  id: string;
  subject: "user" | "person" | "thing";
  attribute: "name" | "age" | "birthday" | "origin" | "home" | "body" | "personality" | "language" | "belief" | "partner" | "child" | "family" | "friend" | "colleague" | "pet" | "work" | "employer" | "study" | "skill" | "project" | "decision" | "tool" | "health" | "medicine" | "allergy" | "diet" | "likes" | "dislikes" | "hobby" | "habit" | "schedule" | "appointment" | "plan" | "goal" | "event" | "travel" | "device" | "vehicle" | "commute" | "possession" | "money" | "instruction" | "mood" | "other";
  value: string | null;
  text: string;
  at: string;
  source: "conversation" | "observation" | "distillation" | "user" | "import" | "imagination";
  until: string | null;
}

export interface RelatedMemories {
  related: readonly RelatedMemory[];
}

export interface RelatedMemory {
  memory: Memory;
  distance: number;
  linked: boolean;
  shared: readonly string[];
  negative: boolean;
}

export interface Memory {
  id: string;
  content: string;
  zone: string;
  tier: string;
  tier_reason: string | null;
  lasting: boolean;
  attribute: string | null;
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
  importance_source: string;
  source: string;
  trust: string;
  session_id: string | null;
  persona_id: string | null;
  persona_name: string | null;
  role: string | null;
  backend: string | null;
  project: string | null;
  domain: string | null;
  files: readonly string[];
  depth: number | null;
  type: string;
  prompt: string | null;
  summary: string | null;
  bqi: Readonly<Record<string, unknown>> | null;
  parent: string | null;
  children: readonly string[];
  related: readonly string[];
  user_rating: number | null;
  valid_until: string | null;
  superseded_by: string | null;
  replaces: readonly Replaced[];
  purge_at: string | null;
  departed_for: string | null;
  version: string;
  metadata: Readonly<Record<string, unknown>>;
}

export interface Replaced {
  id: string;
  content: string | null;
}

export interface SearchHits {
  hits: readonly SearchHit[];
  stages: Readonly<Record<string, string>>;
  known: boolean;
  notice: string | null;
}

export interface SearchHit {
  memory: Memory;
  relevance: number;
  lists: readonly string[];
  ranks: Readonly<Record<string, number | null>> | null;
  parts: Readonly<Record<string, number>> | null;
  probability: number;
  known: boolean;
  same_as: string | null;
  outdated_by: string | null;
}

export interface MemoryPage {
  memories: readonly Memory[];
  next: string | null;
}

export interface PendingDistillations {
  pending: readonly PendingDistillation[];
}

export interface PendingDistillation {
  token: string;
  tier: string;
  prompt: string;
  sources: readonly string[];
  current: string | null;
}

export interface SessionIds {
  session_ids: readonly string[];
}

export interface MemoryStats {
  total: number;
  cliff: number;
  zones: Readonly<Record<string, number>>;
  capacities: Readonly<Record<string, number | null>>;
  tiers: Readonly<Record<string, number>>;
  categories: Readonly<Record<string, number>>;
  states: Readonly<Record<string, number>>;
  database: string | null;
  size_bytes: number | null;
}

export interface ScoreExplanation {
  memory: Memory;
  score: number;
  target_zone: string;
  recall: number;
  freshness: number;
  importance: number;
  context: number;
  weights: ScoreWeights;
  drifts: readonly ZoneDrift[];
}

export interface ScoreWeights {
  recall: number;
  freshness: number;
  importance: number;
  context: number;
}

export interface ZoneDrift {
  zone: string;
  at: string;
}

export interface EventPage {
  events: readonly LedgerEvent[];
  next: string | null;
}

export interface LedgerEvent {
  number: number;
  type: string;
  at: string;
  memory_id: string | null;
  detail: Readonly<Record<string, unknown>>;
  memory_ids: readonly string[];
}

export interface ModelUsage {
  calls: number;
  tokens: number;
  model: string | null;
}

export interface MemoryTable {
  memories: readonly Memory[];
  total: number;
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface SubjectList {
  subjects: readonly SubjectSummary[];
  total: number;
}

export interface SubjectSummary {
  key: string;
  name: string;
  kind: "user" | "person" | "thing";
  memories: number;
  last_at: string;
  aliases: readonly string[];
}

export interface SubjectDetails {
  subject: SubjectSummary;
  attributes: readonly SubjectAttribute[];
  memories: readonly Memory[];
  total: number;
  links: readonly SubjectLink[];
}

export interface SubjectAttribute {
  attribute: string;
  statements: readonly SubjectStatement[];
  total: number;
}

export interface SubjectStatement {
  id: string;
  value: string | null;
  text: string;
  since: string;
  until: string | null;
}

export interface SubjectLink {
  source: string;
  target: string;
  predicate: string;
  memories: number;
}

export interface MemoryGroups {
  groups: readonly GroupedMemories[];
}

export interface GroupedMemories {
  name: string;
  ids: readonly string[];
}

export interface RelationGraph {
  subjects: readonly SubjectSummary[];
  links: readonly SubjectLink[];
  total: number;
}

export interface TurnPage {
  turns: readonly DecidedTurn[];
  next: string | null;
}

export interface DecidedTurn {
  turn_id: string;
  session_id: string | null;
  at: string;
  action: "save" | "skip" | "retrieve";
  reason: string | null;
  saved: Memory | null;
  fetched: readonly FetchedMemory[];
  signs: readonly string[];
  learned: boolean;
  reward: number | null;
  said: boolean;
}

export interface FetchedMemory {
  id: string;
  content: string | null;
}

export interface EarlierTurn {
  content: string;
  role?: "user" | "assistant" | "system" | "tool";
  action?: "save" | "skip" | "retrieve" | null;
  memory_id?: string | null;
}

export interface TurnDecision {
  turn_id: string;
  action: "save" | "skip" | "retrieve";
  reason: string;
  phase: string;
  confidence: number;
  importance: number;
  fetches: boolean;
  duplicate_of: string | null;
  explored: boolean;
  forget: string | null;
  features: Readonly<Record<string, unknown>> | null;
}

export interface Observation {
  decision: TurnDecision;
  memory: Memory | null;
  context: string;
  used: readonly string[];
  forgetting: ForgetAnswer | null;
  feeling: Feeling | null;
  notice: string | null;
  problem: string | null;
}

export interface ForgetAnswer {
  outcome: "forgotten" | "confirm" | "protected" | "nothing" | "unclear";
  about: string;
  forgotten: readonly Memory[];
  to_confirm: readonly Memory[];
  protected: readonly Memory[];
  more: boolean;
}

export interface TurnSigns {
  importance: number;
  needs_memory: number;
  act: string;
  lifetime: string;
  category: string;
  subject: string;
  attribute: string;
  read_by: string;
  because: readonly string[];
  question: boolean;
  personal: boolean;
  preference: boolean;
  technical: boolean;
  emotion: boolean;
  remember: boolean;
  small_talk: boolean;
  prose: boolean;
}

export interface FeedbackResult {
  turn_id: string;
  reward: number;
  kind: string;
  credited: boolean;
  version: number;
  switched_off: readonly string[];
}

export interface PolicyStatus {
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
  exams: Readonly<Record<string, ExamResult>>;
  damaged: readonly number[];
}

export interface ExamResult {
  exams: number;
  mean_reward: number;
}

export interface UnwantedList {
  attributes: readonly ("name" | "age" | "birthday" | "origin" | "home" | "body" | "personality" | "language" | "belief" | "partner" | "child" | "family" | "friend" | "colleague" | "pet" | "work" | "employer" | "study" | "skill" | "project" | "decision" | "tool" | "health" | "medicine" | "allergy" | "diet" | "likes" | "dislikes" | "hobby" | "habit" | "schedule" | "appointment" | "plan" | "goal" | "event" | "travel" | "device" | "vehicle" | "commute" | "possession" | "money" | "instruction" | "mood" | "other")[];
}

export interface PolicyVersions {
  checkpoints: readonly PolicyVersion[];
}

export interface PolicyVersion {
  version: number;
  at: string;
  rewards: number;
  metrics: Readonly<Record<string, unknown>>;
}

export interface ProposalList {
  proposals: readonly Proposal[];
}

export interface Proposal {
  id: string;
  kind: "core_promotion" | "core_change" | "core_deletion" | "island_founded" | "island_changed" | "belief_formed" | "belief_changed" | "soul_edit" | "self_rollback";
  status: "pending" | "approved" | "rejected" | "expired" | "withdrawn";
  changes: readonly ProposedChange[];
  reasons: Readonly<Record<string, unknown>>;
  evidence: readonly string[];
  proposed_at: string;
  expires_at: string;
  proposed_by: string;
  channel: "cli" | "dashboard" | "mcp" | "rest" | "host" | "soul" | "sleep" | "agent";
  decided_at: string | null;
  decided_by: string | null;
  decided_through: string | null;
}

export interface ProposedChange {
  on: string;
  id: string;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
}

export interface OpenedProposal {
  proposal: Proposal;
  token: string;
  limit: string | null;
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
  versions: readonly ApprovedSelf[];
}

export interface ApprovedSelf {
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

export interface TextDocument {
  text: string;
}

export interface NightReport {
  owner: string;
  at: string;
  dry_run: boolean;
  busy: string | null;
  woken: boolean;
  before: Readonly<Record<string, Readonly<Record<string, number>>>>;
  after: Readonly<Record<string, Readonly<Record<string, number>>>>;
  duties: readonly DutyResult[];
}

export interface DutyResult {
  duty: "supersede" | "consolidate" | "regenerate" | "appraise" | "promote-m90" | "promote-m365" | "nominate" | "reflect" | "expire" | "fade" | "retain" | "checkpoint" | "report" | "rebalance" | "tidy";
  outcome: "done" | "planned" | "held" | "failed";
  counts: Readonly<Record<string, number>>;
  seconds: number;
  error: string | null;
  leaving: readonly string[];
  planned: readonly PlannedChange[];
}

export interface PlannedChange {
  id: string;
  change: string;
  other: string | null;
}

export interface SleepSchedule {
  duties: readonly DutyTime[];
  asleep: string | null;
}

export interface DutyTime {
  duty: "supersede" | "consolidate" | "regenerate" | "appraise" | "promote-m90" | "promote-m365" | "nominate" | "reflect" | "expire" | "fade" | "retain" | "checkpoint" | "report" | "rebalance" | "tidy";
  rhythm: "daily" | "weekly" | "monthly" | "yearly";
  last_run: string | null;
  next_run: string;
  due: boolean;
}

export interface NightReports {
  nights: readonly NightReport[];
}

export interface ImagineResult {
  idea: Idea | null;
  why_not: string | null;
  refused: string | null;
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

export interface IdeaList {
  ideas: readonly Idea[];
}

export interface IdeaPatterns {
  patterns: readonly IdeaPattern[];
}

export interface IdeaPattern {
  pattern: string;
  strength: number;
  liked: number;
  rejected: number;
  ignored: number;
}

export interface PersonaRunResult {
  session_id: string;
  question: string;
  memory_id: string | null;
  registry: string;
  depth: number;
  cycle: readonly string[];
  answers: readonly PersonaStep[];
  reports: readonly PersonaCycle[];
  final: string;
}

export interface PersonaStep {
  persona_id: string;
  persona_name: string;
  role: string;
  backend: string;
  depth_index: number;
  step_index: number;
  sequence: number;
  text: string;
  memory_id: string | null;
  cases: readonly string[];
  affect: number;
  injection_applied: boolean;
  token_count: number;
  verified: number;
  checked: number;
  retried: boolean;
}

export interface PersonaCycle {
  depth_index: number;
  impact: number;
  transparency: number;
  reproducibility: number;
  verifiability: number;
  adjustment: Readonly<Record<string, unknown>> | null;
}

export interface PersonaRegistryView {
  name: string;
  description: string;
  cycle: readonly string[];
  personas: readonly PersonaProfile[];
  backends: readonly PersonaBackend[];
  validators: readonly string[];
  ready_made: readonly string[];
}

export interface PersonaProfile {
  id: string;
  name: string;
  role: string;
  stance: string | null;
  backend: string;
  system_prompt: string;
  max_tokens: number;
}

export interface PersonaBackend {
  id: string;
  type: string;
  model: string | null;
  timeout: number;
}

export interface PersonaRunList {
  runs: readonly PersonaRunSummary[];
}

export interface PersonaRunSummary {
  session_id: string;
  memory_id: string;
  question: string;
  at: string;
  registry: string | null;
  depth: number | null;
  cycle: readonly string[];
  answers: number;
  finished: boolean;
}

export interface GossipStatus {
  enabled: boolean;
  key: string;
  rules: string;
  peers: readonly GossipPeer[];
  rounds: number;
  last_round: string | null;
  used_updates: number;
  candidate_on: boolean;
  reranker_on: boolean;
  declined: string | null;
  weight: number;
  trust: number;
  exams: number;
  gain: number | null;
  releases: number;
  noise: boolean;
  epsilon: number | null;
  delta: number;
  epsilon_limit: number;
  message_bytes: number;
  rejected: Readonly<Record<string, number>>;
}

export interface GossipPeer {
  key: string;
  url: string;
  state: string;
  share: number;
  accepted: number;
  rejected: Readonly<Record<string, number>>;
  last_seen: string | null;
  quarantined_until: string | null;
}

export interface SourceTrace {
  sources: readonly Memory[];
  distilled: readonly Memory[];
  imagined: readonly Memory[];
  shared: readonly Memory[];
  merged_into: readonly string[];
  superseded: readonly Memory[];
  islands: readonly string[];
  beliefs: readonly string[];
  triples: number;
  policy_version: number | null;
  learned_since: number;
  leaving: readonly string[];
  protected: readonly string[];
}

export interface SourceRetraction {
  trace: SourceTrace;
  event: number | null;
  dry_run: boolean;
}

export interface SyncState {
  device: string;
  name: string;
  devices: readonly SyncDevice[];
  unsent: Readonly<Record<string, number>>;
  conflicts: readonly SyncConflict[];
}

export interface SyncDevice {
  id: string;
  name: string;
  heard_at: string | null;
  clock_ahead: number | null;
}

export interface SyncConflict {
  id: string;
  in_force: string;
  others: readonly OtherText[];
}

export interface OtherText {
  device: string;
  content: string;
}

export interface SyncExchange {
  device: string;
  bundle: string | null;
  hash: string | null;
}

export interface RecordPage {
  records: readonly (Readonly<Record<string, unknown>>)[];
  next: string | null;
}

export interface ImportCounts {
  added: number;
  known: number;
}

export interface MemoriesAt {
  memories: readonly Memory[];
  gone: readonly string[];
}

export interface LedgerRepaired {
  lines: number;
}

export interface LedgerCompressed {
  files: readonly string[];
}

export interface LedgerCheck {
  ok: boolean;
  entries: number;
  head: string | null;
  fault: string | null;
  damage: LedgerDamage | null;
  files: LedgerFiles | null;
  anchor: string | null;
}

export interface LedgerDamage {
  number: number;
  kind: string;
  where: string;
  owner: string | null;
}

export interface LedgerFiles {
  path: string | null;
  lines: number;
  missing: number;
  unreadable: number;
  first_unreadable: string | null;
}

export interface LedgerHead {
  head: string | null;
  anchor: string | null;
}

export interface LedgerAnchor {
  anchor: string | null;
  written: boolean;
}

export interface PurgeProof {
  format: string;
  version: number;
  owner: Readonly<Record<string, string>>;
  memories: readonly (Readonly<Record<string, unknown>>)[];
  before: string;
  entries: readonly (readonly unknown[])[];
  anchor: Readonly<Record<string, unknown>>;
}

export interface ProofResult {
  ok: boolean;
  fault: string | null;
  memories: readonly CheckedPurge[];
  owner: string | null;
  anchor: string | null;
  event: number | null;
}

export interface CheckedPurge {
  id: string;
  event: number;
  at: string;
}

export interface BackupResult {
  path: string;
  size_bytes: number;
  memories: number;
  events: number;
  problems: readonly string[];
}

export interface RetentionResult {
  dry_run: boolean;
  archived: number;
  forgotten: number;
  sessions: number;
  by_limit: Readonly<Record<string, number>>;
  remaining: Remaining;
  still_over: readonly string[];
  problems: readonly string[];
}

export interface Remaining {
  memories: number;
  sessions: number;
  size_bytes: number;
}

export interface ArchiveList {
  archives: readonly ArchivedSession[];
}

export interface ArchivedSession {
  file: string;
  session_id: string | null;
  archived_at: string;
  memories: number;
  size_bytes: number;
  problems: readonly string[];
}

export interface BringBackResult {
  ids: readonly string[];
  problems: readonly string[];
}

export interface SecretScanResult {
  dry_run: boolean;
  found: readonly FoundSecret[];
  redacted: Readonly<Record<string, string>>;
  left: readonly FoundSecret[];
}

export interface FoundSecret {
  place: string;
  where: string;
  kinds: readonly string[];
}

export interface RebalanceCounts {
  moved: number;
  evicted: number;
  forgotten: number;
  purged: number;
  held: number;
  visited: number;
  in_orbit: number;
  milliseconds: number;
}

export interface ReindexCounts {
  embedded: number;
  failed: number;
}

export interface ReindexWordsCounts {
  memories: number;
}

export interface CheckResult {
  problems: readonly string[];
}

export interface SettingList {
  settings: readonly SettingView[];
}

export interface SettingView {
  key: string;
  value: string | null;
  default: string | null;
  source: string;
  by: string | null;
  kind: string;
  choices: readonly string[];
  lock: string | null;
  restart: boolean;
  waiting: boolean;
}

export interface Orbits {
  at: number;
  total: number;
  zones: readonly ZoneBounds[];
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
  population: readonly number[];
}

export interface ZoneBounds {
  zone: number;
  name: string;
  lower: number | null;
  slots: number | null;
}

export interface OrbitsPast {
  moments: readonly number[];
  zones: readonly ZoneBounds[];
  ids: readonly string[];
  label: readonly string[];
  importance: readonly number[];
  tier: readonly string[];
  emotions: readonly (readonly (readonly [string, number])[])[];
  created_at: readonly number[];
  zone: readonly (readonly (readonly [number, number])[])[];
  score: readonly (readonly (readonly [number, number])[])[];
  gone: number;
  total: number;
}

export interface Outlook {
  points: readonly (readonly [number, number])[];
  crossings: readonly (readonly [number, number, number])[];
  breakdown: ScoreParts;
  weights: ScoreWeights;
  expires_at: number | null;
}

export interface ScoreParts {
  score: number;
  recall: number;
  freshness: number;
  importance: number;
  context: number;
}

export interface Insight {
  days: readonly DayCounts[];
  zones: Readonly<Record<string, number>>;
  tiers: Readonly<Record<string, number>>;
  promotions: readonly TierFlow[];
  departures: readonly TierFlow[];
  moods: readonly DayMood[];
  learning: readonly LearningPoint[];
}

export interface DayCounts {
  start: number;
  stored: number;
  recalled: number;
  forgotten: number;
  restored: number;
  purged: number;
  total: number;
}

export interface TierFlow {
  source: string;
  target: string;
  count: number;
}

export interface DayMood {
  start: number;
  emotions: Readonly<Record<string, number>>;
  sentiment: number;
}

export interface LearningPoint {
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

export interface ServerStatus {
  version: string;
  embedder: string | null;
  dimensions: number | null;
  without_vector: number;
  words: string | null;
  model: string | null;
  model_uses: readonly string[];
  model_calls_today: number;
  model_tokens_today: number;
  schedule: readonly ScheduledDuty[];
  database: string | null;
  ledger: string | null;
  archive: string | null;
  size_bytes: number | null;
  states: Readonly<Record<string, number>>;
  entries: number;
}

export interface ScheduledDuty {
  duty: string;
  last: string | null;
  next: string | null;
}

export interface TokenList {
  tokens: readonly Token[];
}

export interface Token {
  id: string;
  name: string;
  owner: string;
  scopes: readonly string[];
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  expires_at: string | null;
}

export interface CreatedToken {
  token: Token;
  secret: string;
}

export interface DemoAdded {
  added: number;
}

export interface DemoRemoved {
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
      where?: MemoryFilter | null;
      reinforce?: boolean;
      profile?: boolean;
    };
    answer: PromptContext;
  };
  /** What is known about the user: lasting facts that are still true, the most telling first. */
  memory_profile: {
    ask: {
      budget?: number;
    };
    answer: UserProfile;
  };
  /** Follow a memory's links and the people and things it tells of to other memories, up to three steps. */
  memory_get_related: {
    ask: {
      id: string;
      depth?: number;
      limit?: number;
    };
    answer: RelatedMemories;
  };
  /** Find memories by meaning, words and relations, best first; what is found becomes more central. */
  memory_search: {
    ask: {
      query: string;
      limit?: number;
      where?: MemoryFilter | null;
      reinforce?: boolean;
      floor?: number | null;
      explain?: boolean;
    };
    answer: SearchHits;
  };
  /** Remember one thing about the user or the work for later conversations; secrets are redacted. */
  memory_save: {
    ask: {
      content: string;
      importance?: number | null;
      metadata?: Readonly<Record<string, unknown>>;
      tags?: readonly string[];
      keywords?: readonly string[];
      category?: "fact" | "preference" | "experience" | "emotion" | "technical" | "core_principle" | null;
      tier?: "M30" | "M90" | "M365" | null;
      pinned?: boolean;
      immutable?: boolean;
      session_id?: string | null;
      persona_id?: string | null;
      persona_name?: string | null;
      role?: string | null;
      backend?: string | null;
      project?: string | null;
      domain?: string | null;
      files?: readonly string[];
      depth?: number | null;
      emotions?: readonly ("joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral")[];
      intensity?: number | null;
      type?: "user_input" | "persona_response" | "system_event";
      prompt?: string | null;
      summary?: string | null;
      bqi?: boolean;
      parent?: string | null;
      related?: readonly string[];
      source?: "user" | "conversation" | "observation" | "import";
      idempotency_key?: string | null;
    };
    answer: Memory;
  };
  /** Remember many texts at once: all of them, or none. */
  memory_save_many: {
    ask: {
      contents: readonly string[];
      importance?: number | null;
      session_id?: string | null;
      source?: "user" | "conversation" | "observation" | "import";
    };
    answer: MemoryPage;
  };
  /** Correct or extend a memory; what it said before stays in its history and can be undone. */
  memory_update: {
    ask: {
      id: string;
      content?: string | null;
      importance?: number | null;
      metadata?: Readonly<Record<string, unknown>> | null;
      tags?: readonly string[] | null;
      keywords?: readonly string[] | null;
      category?: "fact" | "preference" | "experience" | "emotion" | "technical" | "core_principle" | null;
      if_version?: string | null;
      tier?: "M30" | "M90" | "M365" | null;
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
  /** Memories whose essence is to be written, each with a prompt and a token. */
  distill_pending: {
    ask: {
      limit?: number;
    };
    answer: PendingDistillations;
  };
  /** Hand in the essence of a pending entry; what no source says is refused. */
  distill_commit: {
    ask: {
      token: string;
      text: string;
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
      where: MemoryFilter;
    };
    answer: MemoryPage;
  };
  /** What was forgotten and can still be restored, with the moment it will be gone. */
  cliff_list: {
    ask: {
      limit?: number;
      cursor?: string | null;
    };
    answer: MemoryPage;
  };
  /** Bring forgotten memories back, with the full time of their lifetime. */
  memory_restore: {
    ask: {
      ids?: readonly string[];
      all?: boolean;
      reason?: "expired" | "displaced" | "manual" | "stale" | "merged" | null;
    };
    answer: MemoryPage;
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
      where?: MemoryFilter | null;
    };
    answer: MemoryPage;
  };
  /** The conversations that memories belong to. */
  session_list: {
    ask: {
      where?: MemoryFilter | null;
    };
    answer: SessionIds;
  };
  /** How many memories there are, by zone, lifetime, category and state. */
  memory_stats: {
    ask: Record<never, never>;
    answer: MemoryStats;
  };
  /** Why a memory is where it is: the parts of its score, and when it will drift to which zone. */
  memory_explain: {
    ask: {
      id: string;
    };
    answer: ScoreExplanation;
  };
  /** What happened to a memory, or to all of them, newest first; from the ledger. */
  memory_history: {
    ask: {
      id?: string | null;
      limit?: number;
      cursor?: string | null;
    };
    answer: EventPage;
  };
  /** What language models were asked today, of all owners. */
  model_spent: {
    ask: Record<never, never>;
    answer: ModelUsage;
  };
  /** All memories as a table: sorted, filtered and counted, page by page. */
  memory_table: {
    ask: {
      sort?: "created" | "recalled" | "importance" | "score" | "recalls" | "leaving" | "text";
      descending?: boolean;
      first?: number;
      limit?: number;
      counts?: boolean;
      states?: readonly ("active" | "faded" | "inactive" | "archived" | "cliff" | "purged")[];
      zone?: "core" | "inner" | "outer" | "belt" | "cloud" | null;
      tier?: "M30" | "M90" | "M365" | "M0" | null;
      lifetime?: "passing" | "season" | "lasting" | null;
      protection?: "none" | "pinned" | "immutable" | "core" | null;
      attribute?: "name" | "age" | "birthday" | "origin" | "home" | "body" | "personality" | "language" | "belief" | "partner" | "child" | "family" | "friend" | "colleague" | "pet" | "work" | "employer" | "study" | "skill" | "project" | "decision" | "tool" | "health" | "medicine" | "allergy" | "diet" | "likes" | "dislikes" | "hobby" | "habit" | "schedule" | "appointment" | "plan" | "goal" | "event" | "travel" | "device" | "vehicle" | "commute" | "possession" | "money" | "instruction" | "mood" | "other" | null;
      source?: "conversation" | "observation" | "distillation" | "user" | "import" | "imagination" | null;
      session_id?: string | null;
      project?: string | null;
      tag?: string | null;
      emotion?: "joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral" | null;
      about?: string | null;
      text?: string | null;
      current?: boolean | null;
    };
    answer: MemoryTable;
  };
  /** The people and things that memories tell of, the user first, then the most told of. */
  subject_list: {
    ask: {
      limit?: number;
    };
    answer: SubjectList;
  };
  /** What is known about a person or a thing, by attribute and with its history. */
  subject_show: {
    ask: {
      name: string;
      limit?: number;
    };
    answer: SubjectDetails;
  };
  /** The memories of the most told of people, or of each project, for a picture. */
  memory_groups: {
    ask: {
      by?: "person" | "project";
      most?: number;
    };
    answer: MemoryGroups;
  };
  /** Who and what is tied to whom, around one of them or among the most told of. */
  relation_graph: {
    ask: {
      name?: string | null;
      hops?: number;
      limit?: number;
    };
    answer: RelationGraph;
  };
  /** The last turns that were decided about: kept, skipped or answered from memory. */
  turn_list: {
    ask: {
      limit?: number;
      before?: string | null;
    };
    answer: TurnPage;
  };
  /** What to do with a turn of the conversation: save it, skip it, or retrieve memories for it; nothing is done. */
  policy_decide: {
    ask: {
      content: string;
      role?: "user" | "assistant" | "system" | "tool";
      history?: readonly EarlierTurn[];
      turn_id?: string | null;
      explain?: boolean;
    };
    answer: TurnDecision;
  };
  /** Decide about a turn and do it: save what is worth it, give the memories that help with the answer, and forget what the user asks to forget. */
  turn_observe: {
    ask: {
      content: string;
      role?: "user" | "assistant" | "system" | "tool";
      history?: readonly EarlierTurn[];
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
    answer: TurnSigns;
  };
  /** What a turn was worth, as a number or in the user's words; deciding and ranking learn from it. */
  feedback: {
    ask: {
      reward?: number | null;
      text?: string | null;
      turn_id?: string | null;
      session_id?: string | null;
    };
    answer: FeedbackResult;
  };
  /** Whether what is found for a question answers it; deciding and ranking learn from it, nothing is counted. */
  answer_judge: {
    ask: {
      question: string;
      right: boolean;
      where?: MemoryFilter | null;
    };
    answer: FeedbackResult;
  };
  /** How the part that learns stands, and whether it may decide. */
  policy_status: {
    ask: Record<never, never>;
    answer: PolicyStatus;
  };
  /** What turns are not kept because the user does not want such things kept. */
  unwanted_list: {
    ask: Record<never, never>;
    answer: UnwantedList;
  };
  /** Stop keeping what turns say about something, such as money; a memory says so from now on. */
  unwanted_add: {
    ask: {
      attribute: "name" | "age" | "birthday" | "origin" | "home" | "body" | "personality" | "language" | "belief" | "partner" | "child" | "family" | "friend" | "colleague" | "pet" | "work" | "employer" | "study" | "skill" | "project" | "decision" | "tool" | "health" | "medicine" | "allergy" | "diet" | "likes" | "dislikes" | "hobby" | "habit" | "schedule" | "appointment" | "plan" | "goal" | "event" | "travel" | "device" | "vehicle" | "commute" | "possession" | "money" | "instruction" | "mood" | "other";
    };
    answer: UnwantedList;
  };
  /** Keep again what turns say about something. */
  unwanted_remove: {
    ask: {
      attribute: "name" | "age" | "birthday" | "origin" | "home" | "body" | "personality" | "language" | "belief" | "partner" | "child" | "family" | "friend" | "colleague" | "pet" | "work" | "employer" | "study" | "skill" | "project" | "decision" | "tool" | "health" | "medicine" | "allergy" | "diet" | "likes" | "dislikes" | "hobby" | "habit" | "schedule" | "appointment" | "plan" | "goal" | "event" | "travel" | "device" | "vehicle" | "commute" | "possession" | "money" | "instruction" | "mood" | "other";
    };
    answer: UnwantedList;
  };
  /** The versions of what was learned that are kept, newest first. */
  policy_checkpoints: {
    ask: Record<never, never>;
    answer: PolicyVersions;
  };
  /** Back to what a version knew, as a new version. */
  policy_rollback: {
    ask: {
      version: number;
    };
    answer: PolicyVersion;
  };
  /** What waits for the user's word: core memories, islands, beliefs. */
  inbox_list: {
    ask: {
      status?: "pending" | "approved" | "rejected" | "expired" | "withdrawn" | null;
      limit?: number;
    };
    answer: ProposalList;
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
    answer: OpenedProposal;
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
  /** Propose a new text for a core memory; the user decides. */
  propose_core_change: {
    ask: {
      id: string;
      content: string;
    };
    answer: Proposal;
  };
  /** Propose to let a core memory go; the user decides. */
  propose_core_deletion: {
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
  /** Memories that could become core memories, which are never forgotten, if the user agrees. */
  core_nominations: {
    ask: Record<never, never>;
    answer: MemoryPage;
  };
  /** Make a nominated memory a core memory, on the user's own word and never without it. */
  core_approve: {
    ask: {
      id: string;
    };
    answer: Memory;
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
    answer: TextDocument;
  };
  /** SOUL.md: the approved self as a page. */
  soul_show: {
    ask: Record<never, never>;
    answer: TextDocument;
  };
  /** Propose every edit in a text of SOUL.md; the user decides on each of them. */
  soul_propose: {
    ask: {
      text: string;
    };
    answer: ProposalList;
  };
  /** Do the night's work that is due: merge repeats, end what was superseded, promote, fade, forget; dry_run only tells what would happen. */
  sleep_cycle_run: {
    ask: {
      dry_run?: boolean;
      duties?: readonly ("supersede" | "consolidate" | "regenerate" | "appraise" | "promote-m90" | "promote-m365" | "nominate" | "reflect" | "expire" | "fade" | "retain" | "checkpoint" | "report" | "rebalance" | "tidy")[] | null;
      force?: boolean;
      allow_large?: boolean;
    };
    answer: NightReport;
  };
  /** When each duty of the night was last done, and when it is due. */
  sleep_status: {
    ask: Record<never, never>;
    answer: SleepSchedule;
  };
  /** The last nights, newest first, in numbers. */
  sleep_reports: {
    ask: {
      limit?: number;
    };
    answer: NightReports;
  };
  /** The night's work of every owner in the database. */
  sleep_everybody: {
    ask: {
      dry_run?: boolean;
      duties?: readonly ("supersede" | "consolidate" | "regenerate" | "appraise" | "promote-m90" | "promote-m365" | "nominate" | "reflect" | "expire" | "fade" | "retain" | "checkpoint" | "report" | "rebalance" | "tidy")[] | null;
      force?: boolean;
      allow_large?: boolean;
    };
    answer: NightReports;
  };
  /** Something that could be done now, from what is remembered; at most three a day, if it is wanted. */
  imagine: {
    ask: {
      context?: string | null;
      idle_minutes?: number | null;
    };
    answer: ImagineResult;
  };
  /** What was imagined and is still remembered, newest first. */
  imagination_list: {
    ask: {
      limit?: number;
    };
    answer: IdeaList;
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
    answer: IdeaPatterns;
  };
  /** Let personas (thesis, antithesis, synthesis) answer a question in turn; their answers are remembered. */
  personas_run: {
    ask: {
      question?: string | null;
      depth?: number | null;
      registry?: string | null;
      resume?: string | null;
      offline?: boolean;
    };
    answer: PersonaRunResult;
  };
  /** The personas of a registry, and what answers for them. */
  personas_show: {
    ask: {
      registry?: string | null;
    };
    answer: PersonaRegistryView;
  };
  /** Earlier runs of personas, newest first. */
  personas_runs: {
    ask: {
      limit?: number;
    };
    answer: PersonaRunList;
  };
  /** Whether this memory learns together with others, its peers, privacy spent and gain. */
  gossip_status: {
    ask: Record<never, never>;
    answer: GossipStatus;
  };
  /** Take part in learning together: parameters are exchanged with the peers, never texts. */
  gossip_on: {
    ask: Record<never, never>;
    answer: GossipStatus;
  };
  /** Take no part for now: nothing is sent or accepted, and the own policy decides alone. */
  gossip_off: {
    ask: Record<never, never>;
    answer: GossipStatus;
  };
  /** Leave: the peers and everything that came from them are deleted. */
  gossip_leave: {
    ask: Record<never, never>;
    answer: GossipStatus;
  };
  /** Add a peer by its address and public key, or change its address. */
  gossip_peer_add: {
    ask: {
      url: string;
      key: string;
    };
    answer: GossipPeer;
  };
  /** Delete a peer; what it sent is in no later aggregate. */
  gossip_peer_remove: {
    ask: {
      key: string;
    };
    answer: GossipStatus;
  };
  /** Everything derived from a memory, a session or an import. */
  source_trace: {
    ask: {
      which: string;
      kind?: "memory" | "session" | "import" | null;
    };
    answer: SourceTrace;
  };
  /** Let a source and everything made of it alone go at once; it can be taken back. */
  source_retract: {
    ask: {
      which: string;
      kind?: "memory" | "session" | "import" | null;
      dry_run?: boolean;
    };
    answer: SourceRetraction;
  };
  /** Take a whole retraction back. */
  source_retract_undo: {
    ask: {
      event: number;
    };
    answer: MemoryPage;
  };
  /** This device, the owner's other devices, what waits to be sent, and edits that contradict. */
  sync_status: {
    ask: Record<never, never>;
    answer: SyncState;
  };
  /** Merge what another device of the owner sends, and return what is new here. */
  sync_exchange: {
    ask: {
      device: string;
      bundle?: string | null;
      previous?: string;
      token?: string;
      received?: string;
    };
    answer: SyncExchange;
  };
  /** Every memory with every field, page by page, those on the cliff and in archives too. */
  memory_export: {
    ask: {
      limit?: number;
      cursor?: string | null;
    };
    answer: RecordPage;
  };
  /** Import exported records with their ids, times, protection and lifetimes; requires the user's confirmation. */
  memory_import: {
    ask: {
      records: readonly (Readonly<Record<string, unknown>>)[];
    };
    answer: ImportCounts;
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
      where?: MemoryFilter | null;
    };
    answer: MemoriesAt;
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
    answer: LedgerEvent;
  };
  /** Write what the ledger's daily files lack. */
  ledger_repair: {
    ask: Record<never, never>;
    answer: LedgerRepaired;
  };
  /** Pack the ledger's daily files of past months. */
  ledger_compress: {
    ask: Record<never, never>;
    answer: LedgerCompressed;
  };
  /** Check the hash chains of the ledger: nothing edited, removed, inserted or reordered. */
  ledger_verify: {
    ask: {
      head?: string | null;
      anchor?: string | null;
      this_owner?: boolean;
    };
    answer: LedgerCheck;
  };
  /** The newest entry of this owner's chain and the newest anchor, to be kept elsewhere. */
  ledger_head: {
    ask: Record<never, never>;
    answer: LedgerHead;
  };
  /** Write an anchor over the chains of all owners now; sleep does it every night. */
  ledger_anchor: {
    ask: Record<never, never>;
    answer: LedgerAnchor;
  };
  /** A document that shows to somebody else that memories were purged: ledger entries up to an anchor, no text. */
  purge_proof: {
    ask: {
      ids: readonly string[];
    };
    answer: PurgeProof;
  };
  /** Check such a document; nothing of this database is needed for it. */
  proof_check: {
    ask: {
      document: Readonly<Record<string, unknown>>;
      anchor?: string | null;
    };
    answer: ProofResult;
  };
  /** A checked copy of the whole database, while it is in use. */
  backup_create: {
    ask: Record<never, never>;
    answer: BackupResult;
  };
  /** Archive what is idle and let go of what is too much, by a policy; a dry run unless told. */
  retention_run: {
    ask: {
      preset?: "coordinates-v1" | null;
      dry_run?: boolean;
    };
    answer: RetentionResult;
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
    answer: BringBackResult;
  };
  /** Find secrets that older versions stored, everywhere; a dry run unless told to redact. */
  guard_scan: {
    ask: {
      redact?: boolean;
    };
    answer: SecretScanResult;
  };
  /** Put every memory where its score says. */
  rebalance: {
    ask: {
      allow_large?: boolean;
    };
    answer: RebalanceCounts;
  };
  /** Give every memory without a vector one. */
  reindex: {
    ask: Record<never, never>;
    answer: ReindexCounts;
  };
  /** Rebuild the word index. */
  reindex_words: {
    ask: Record<never, never>;
    answer: ReindexWordsCounts;
  };
  /** Rebuild what can be derived from the memories; tells what is still wrong. */
  repair: {
    ask: Record<never, never>;
    answer: CheckResult;
  };
  /** Look for damage in the stored data. */
  check: {
    ask: Record<never, never>;
    answer: CheckResult;
  };
  /** Every setting of the engine, what holds and who set it. */
  setting_list: {
    ask: Record<never, never>;
    answer: SettingList;
  };
  /** Write a setting into celestial.toml; paths, addresses and secrets are set at the machine. */
  setting_change: {
    ask: {
      key: string;
      value: string | null;
    };
    answer: SettingView;
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
    answer: OrbitsPast;
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
    answer: ServerStatus;
  };
  /** The tokens and sessions that were given for this owner's memories, never the secrets. */
  token_list: {
    ask: Record<never, never>;
    answer: TokenList;
  };
  /** A new token for this owner's memories; its secret is told once. */
  token_create: {
    ask: {
      name: string;
      scopes?: readonly ("read" | "write" | "approve" | "admin")[];
    };
    answer: CreatedToken;
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
    answer: DemoAdded;
  };
  /** Take the made-up memories out again, wholly, and nothing else. */
  demo_remove: {
    ask: Record<never, never>;
    answer: DemoRemoved;
  };
}

export type Route = readonly [method: string, path: string, headers?: Readonly<Record<string, string>>];

export const ROUTES: { readonly [Name in keyof Operations]: Route } = {
  auto_search: ["POST", "/context"],
  memory_profile: ["GET", "/profile"],
  memory_get_related: ["GET", "/memories/{id}/related"],
  memory_search: ["POST", "/memories/search"],
  memory_save: ["POST", "/memories", {"idempotency_key": "Idempotency-Key"}],
  memory_save_many: ["POST", "/memories/batch"],
  memory_update: ["PATCH", "/memories/{id}", {"if_version": "If-Match"}],
  memory_pin: ["PUT", "/memories/{id}/pin"],
  memory_unpin: ["DELETE", "/memories/{id}/pin"],
  memory_rate: ["PUT", "/memories/{id}/rating"],
  memory_remind: ["POST", "/memories/{id}/remind"],
  memory_influenced: ["POST", "/memories/{id}/influence"],
  distill_pending: ["GET", "/distillation"],
  distill_commit: ["POST", "/distillation"],
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
  memory_table: ["POST", "/memories/table"],
  subject_list: ["GET", "/subjects"],
  subject_show: ["GET", "/subjects/{name}"],
  memory_groups: ["GET", "/orbits/groups"],
  relation_graph: ["GET", "/relations"],
  turn_list: ["GET", "/turns"],
  policy_decide: ["POST", "/turns/decide"],
  turn_observe: ["POST", "/turns"],
  turn_perceive: ["POST", "/turns/perceive"],
  feedback: ["POST", "/turns/feedback"],
  answer_judge: ["POST", "/search/feedback"],
  policy_status: ["GET", "/policy"],
  unwanted_list: ["GET", "/policy/unwanted"],
  unwanted_add: ["PUT", "/policy/unwanted/{attribute}"],
  unwanted_remove: ["DELETE", "/policy/unwanted/{attribute}"],
  policy_checkpoints: ["GET", "/policy/checkpoints"],
  policy_rollback: ["POST", "/policy/rollback"],
  inbox_list: ["GET", "/inbox"],
  proposal_show: ["GET", "/inbox/{proposal}"],
  proposal_open: ["POST", "/inbox/{proposal}/open"],
  proposal_approve: ["POST", "/inbox/{proposal}/approve"],
  proposal_reject: ["POST", "/inbox/{proposal}/reject"],
  propose_core: ["POST", "/proposals/core"],
  propose_core_change: ["POST", "/proposals/core-change"],
  propose_core_deletion: ["POST", "/proposals/core-deletion"],
  propose_island: ["POST", "/proposals/island"],
  propose_belief: ["POST", "/proposals/belief"],
  propose_rollback: ["POST", "/proposals/rollback"],
  core_nominations: ["GET", "/nominations"],
  core_approve: ["POST", "/nominations/{id}/approve"],
  self_show: ["GET", "/self"],
  self_versions: ["GET", "/self/versions"],
  self_context: ["GET", "/self/context"],
  soul_show: ["GET", "/self/soul"],
  soul_propose: ["POST", "/self/soul"],
  sleep_cycle_run: ["POST", "/sleep"],
  sleep_status: ["GET", "/sleep"],
  sleep_reports: ["GET", "/sleep/reports"],
  sleep_everybody: ["POST", "/sleep/everybody"],
  imagine: ["POST", "/imagination"],
  imagination_list: ["GET", "/imagination"],
  imagination_feedback: ["PUT", "/imagination/{id}/liked"],
  imagination_patterns: ["GET", "/imagination/patterns"],
  personas_run: ["POST", "/personas/runs"],
  personas_show: ["GET", "/personas/registry"],
  personas_runs: ["GET", "/personas/runs"],
  gossip_status: ["GET", "/gossip"],
  gossip_on: ["POST", "/gossip/on"],
  gossip_off: ["POST", "/gossip/off"],
  gossip_leave: ["POST", "/gossip/leave"],
  gossip_peer_add: ["POST", "/gossip/peers"],
  gossip_peer_remove: ["DELETE", "/gossip/peers/{key}"],
  source_trace: ["POST", "/sources/trace"],
  source_retract: ["POST", "/sources/retract"],
  source_retract_undo: ["POST", "/sources/retractions/{event}/undo"],
  sync_status: ["GET", "/sync"],
  sync_exchange: ["POST", "/sync"],
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
  ledger_anchor: ["POST", "/ledger/anchor"],
  purge_proof: ["POST", "/ledger/proofs"],
  proof_check: ["POST", "/ledger/proofs/check"],
  backup_create: ["POST", "/backups"],
  retention_run: ["POST", "/retention"],
  archive_list: ["GET", "/archives"],
  archive_bring_back: ["POST", "/archives/bring-back"],
  guard_scan: ["POST", "/guard/scan"],
  rebalance: ["POST", "/rebalance"],
  reindex: ["POST", "/reindex"],
  reindex_words: ["POST", "/reindex/words"],
  repair: ["POST", "/repair"],
  check: ["GET", "/check"],
  setting_list: ["GET", "/settings"],
  setting_change: ["PUT", "/settings/{key}"],
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
