// Written by `python -m tools.typescript_client` from the OpenAPI document; do not edit.

import { type Route, Transport } from "./transport.js";

export type Action = "save" | "skip" | "retrieve";

export type ApprovedSelf = { version: number; at: string; /** the id of a proposal */ proposal: string; kind: ProposalKind; by: string; channel: Channel; /** how many parts came with it */ formed: number; /** how many parts it changed or ended */ altered: number; islands: Array<Island>; beliefs: Array<Belief>; };

export type ArchiveList = { archives: Array<ArchivedSession>; };

export type ArchivedSession = { file: string; session_id: string | null; archived_at: string; memories: number; size_bytes: number; problems: Array<string>; };

export type Attribute = "name" | "age" | "birthday" | "origin" | "home" | "body" | "personality" | "language" | "belief" | "partner" | "child" | "family" | "friend" | "colleague" | "pet" | "work" | "employer" | "study" | "skill" | "project" | "decision" | "tool" | "health" | "medicine" | "allergy" | "diet" | "likes" | "dislikes" | "hobby" | "habit" | "schedule" | "appointment" | "plan" | "goal" | "event" | "travel" | "device" | "vehicle" | "commute" | "possession" | "money" | "instruction" | "mood" | "other";

export type BackupResult = { path: string; size_bytes: number; memories: number; events: number; problems: Array<string>; };

export type Belief = { id: string; statement: string; confidence: number; supports: Array<string>; island: string | null; formed_at: string; };

export type BringBackResult = { ids: Array<string>; problems: Array<string>; };

export type Category = "fact" | "preference" | "experience" | "emotion" | "technical" | "core_principle";

export type Channel = "cli" | "dashboard" | "mcp" | "rest" | "host" | "soul" | "sleep" | "agent";

export type CheckResult = { problems: Array<string>; };

export type CheckedPurge = { id: string; event: number; at: string; };

export type ContentType = "user_input" | "persona_response" | "system_event";

export type CreatedToken = { /** what is kept of it */ token: Token; /** the token itself; it is shown only once and not stored */ secret: string; };

export type DayCounts = { /** its first second, in seconds since 1970 */ start: number; stored: number; recalled: number; forgotten: number; restored: number; purged: number; /** in orbit at its end */ total: number; };

export type DayMood = { start: number; /** how many memories of that day feel so most of all */ emotions: Record<string, number>; /** their mean, from -1 to 1 */ sentiment: number; };

export type DecidedTurn = { turn_id: string; session_id: string | null; at: string; action: Action; /** why, as policy_decide tells it; looked_up: searched for by the user */ reason: string | null; /** the memory it became */ saved: Memory | null; /** what was found for it */ fetched: Array<FetchedMemory>; /** what was seen in it, such as question or personal */ signs: Array<string>; /** decided by what was learned, not by the rules alone */ learned: boolean; /** what it was worth, -1 to 1; null: not known */ reward: number | null; /** the user said what it was worth; else it was concluded from what they said next */ said: boolean; };

export type DemoAdded = { added: number; };

export type DemoLanguage = "en" | "ko";

export type DemoRemoved = { removed: number; /** those that became core, immutable or the user's own words since, and stay */ kept: number; };

export type DepartureReason = "expired" | "displaced" | "manual" | "stale" | "merged";

export type Duty = "supersede" | "consolidate" | "regenerate" | "appraise" | "promote-m90" | "promote-m365" | "nominate" | "reflect" | "expire" | "fade" | "retain" | "checkpoint" | "report" | "rebalance" | "tidy";

export type DutyResult = { duty: Duty; /** held: too many would leave, so it waits for allow_large */ outcome: Outcome; counts: Record<string, number>; seconds: number; error: string | null; /** ids of memories that leave recall */ leaving: Array<string>; /** what it would do, if it was not carried out */ planned: Array<PlannedChange>; };

export type DutyTime = { duty: Duty; /** how often it is due */ rhythm: Rhythm; last_run: string | null; next_run: string; due: boolean; };

export type EarlierTurn = { /** what was said */ content: string; /** who said it */ role?: Role; /** what was done with it */ action?: Action | null; /** the memory that it stands for, if it was recalled */ memory_id?: string | null; };

export type Emotion = "joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral";

export type EventPage = { events: Array<LedgerEvent>; /** the cursor of the next page; null after the last */ next?: string | null; };

export type ExamResult = { exams: number; mean_reward: number; };

export type FeedbackResult = { turn_id: string; reward: number; kind: string; /** false if there was nothing to credit, or it was credited before */ credited: boolean; /** of what was learned */ version: number; /** learned parts that did worse than the rules */ switched_off: Array<string>; };

export type Feeling = { /** the most frequent first; neutral if there are none */ emotions: Array<string>; /** what the first two emotions make together, such as nostalgia */ mixed: string | null; /** of the strongest, 0 to 1 */ intensity: number; /** their mean, from -1 to 1 */ sentiment: number; };

export type FetchedMemory = { id: string; /** null if it is gone */ content: string | null; };

export type ForgetAnswer = { /** what was done; confirm: nothing yet, pass ids to memory_delete */ outcome: ForgetOutcome; /** what to forget, in the user's words */ about: string; forgotten: Array<Memory>; /** memories that match, to be chosen from */ to_confirm: Array<Memory>; /** memories that match but are protected; they were kept */ protected: Array<Memory>; /** more memories match than are listed */ more: boolean; };

export type ForgetOutcome = "forgotten" | "confirm" | "protected" | "nothing" | "unclear";

export type FoundSecret = { /** memory, archive, version, ledger or backup */ place: string; /** the id of a memory, the number of an entry, or the file of a backup */ where: string; /** password, api_key and so on; never the secret */ kinds: Array<string>; };

export type GossipPeer = { /** its public key, in hexadecimal */ key: string; url: string; /** new, active, other_rules (listed and ignored) or quarantined */ state: string; /** how much its policy counts: how likely it is that it decides like the owner */ share: number; /** messages that were accepted */ accepted: number; /** messages and updates that were rejected, by reason */ rejected: Record<string, number>; last_seen: string | null; quarantined_until: string | null; };

export type GossipStatus = { enabled: boolean; /** the public key of this memory, which peers add; empty before it takes part */ key: string; /** SHA-256 of the rules; peers with another one are ignored */ rules: string; peers: Array<GossipPeer>; rounds: number; last_round: string | null; /** peers whose updates are in the candidate */ used_updates: number; /** what others learned takes part in decisions */ candidate_on: boolean; /** what others learned takes part in ranking */ reranker_on: boolean; /** why it takes no part: too_few, too_few_turns, worse_on_own_turns or worse_in_exams */ declined: string | null; /** how much of what others learned counts, from 1 down to 0 with own experience */ weight: number; /** how likely it is that one of the peers decides like the owner */ trust: number; exams: number; /** mean reward above the own policy, in exams; null before there are any */ gain: number | null; /** different parameters that were sent */ releases: number; noise: boolean; /** privacy spent so far; null: no bound, something was sent without noise */ epsilon: number | null; delta: number; epsilon_limit: number; message_bytes: number; /** messages that no peer had signed, by reason */ rejected: Record<string, number>; };

export type GroupBy = "person" | "project";

export type GroupedMemories = { name: string; ids: Array<string>; };

export type GuardRule = { kind: string; /** redact, block or allow */ action: string; /** the replacement for a redacted secret, in English texts */ marker: string; /** the same in Korean texts */ marker_ko: string; };

export type GuardRules = { rules: Array<GuardRule>; version: number; };

export type Idea = { id: string; at: string; trigger: string; pattern: string; memories: Array<string>; scenario: string; action: string | null; emotion: string; by: string; liked: boolean | null; };

export type IdeaList = { ideas: Array<Idea>; };

export type IdeaPattern = { pattern: string; /** how welcome ideas like it have been, 0 to 1 */ strength: number; liked: number; rejected: number; ignored: number; };

export type IdeaPatterns = { patterns: Array<IdeaPattern>; };

export type ImagineResult = { idea: Idea | null; /** why there is none */ why_not: string | null; /** why what a language model wrote was not taken */ refused?: string | null; };

export type ImportCounts = { added: number; /** records whose id was here already */ known: number; };

export type Insight = { days: Array<DayCounts>; /** how many are in each zone now */ zones: Record<string, number>; /** how many have each lifetime now */ tiers: Record<string, number>; /** between lifetimes, in these days */ promotions: Array<TierFlow>; /** from a lifetime over the cliff, by reason; source empty: gone */ departures: Array<TierFlow>; moods: Array<DayMood>; /** the versions of what was learned, oldest first */ learning: Array<LearningPoint>; };

export type Island = { id: string; name: string; emoji: string; description: string; status: IslandStatus; strength: number; founders: Array<string>; };

export type IslandStatus = "active" | "shaking" | "collapsed" | "rebuilding";

export type KnownFact = { /** the memory that says it */ id: string; /** whom it is about: user, person, thing */ subject: Subject; /** what it says about them, such as home, work or health */ attribute: Attribute; /** the words that state the value, if known */ value: string | null; text: string; /** when it was stored */ at: string; source: Source; /** since when a part of it is replaced; null while all of it is true */ until?: string | null; };

export type LearningPoint = { version: number; at: number; /** how many there had been when this version began */ rewards: number; metrics: Record<string, unknown>; };

export type LedgerAnchor = { /** NUMBER:HASH of the newest anchor; null: the ledger is empty */ anchor: string | null; /** whether it is new; no anchor is written while no chain has grown */ written: boolean; };

export type LedgerCheck = { ok: boolean; entries: number; /** NUMBER:HASH of this owner's newest entry */ head: string | null; /** what is wrong, in a sentence */ fault: string | null; damage: LedgerDamage | null; /** null: there are no daily files */ files: LedgerFiles | null; /** NUMBER:HASH of the newest anchor over all owners' chains */ anchor?: string | null; };

export type LedgerCompressed = { files: Array<string>; };

export type LedgerDamage = { /** the first entry that is wrong */ number: number; /** edited, missing, cut, rewritten, version_edited or version_missing */ kind: string; /** ledger, or what it differs from: files, head, owner (the owner's row) or anchor */ where: string; /** whose chain, USER / AGENT; another owner is named only on this machine */ owner?: string | null; };

export type LedgerEvent = { number: number; type: string; at: string; memory_id: string | null; detail: Record<string, unknown>; /** of a recall of several: those memories, then those displaced */ memory_ids?: Array<string>; };

export type LedgerFiles = { /** their folder; returned only on this machine */ path: string | null; lines: number; /** entries that the files lack; a repair writes them */ missing: number; /** lines that are torn, foreign or edited */ unreadable: number; first_unreadable: string | null; };

export type LedgerHead = { /** NUMBER:HASH of this owner's newest entry; keep it elsewhere to notice a cut tail */ head: string | null; /** NUMBER:HASH of the newest anchor, which covers the chains of all owners */ anchor?: string | null; };

export type LedgerRepaired = { lines: number; };

export type Lifetime = "passing" | "season" | "lasting";

export type MemoriesAt = { memories: Array<Memory>; /** ids of memories of which nothing is left since */ gone: Array<string>; };

export type Memory = { id: string; content: string; zone: string; tier: string; /** why it has this tier, such as lasting, asked or given */ tier_reason: string | null; /** a lasting fact: time alone does not end it */ lasting: boolean; /** what the text says about its subject, such as health or home */ attribute: string | null; state: string; importance: number; score: number; recall_count: number; mention_count: number; created_at: string; last_recalled_at: string; expires_at: string | null; category: string | null; gist: string | null; facts: Array<string>; keywords: Array<string>; tags: Array<string>; emotions: Array<string>; intensity: number; protection: string; /** what rated the importance: given, rules, llm, evidence, base or default */ importance_source: string; source: string; trust: string; session_id: string | null; persona_id: string | null; persona_name: string | null; role: string | null; backend: string | null; project: string | null; domain: string | null; files: Array<string>; depth: number | null; type: string; prompt: string | null; summary: string | null; bqi: Record<string, unknown> | null; parent: string | null; children: Array<string>; related: Array<string>; user_rating: number | null; valid_until: string | null; superseded_by: string | null; /** the statements that this one made outdated */ replaces: Array<Replaced>; purge_at: string | null; departed_for: string | null; version: string; metadata?: Record<string, unknown>; };

export type MemoryFilter = { /** stored at or after this moment */ since?: string | null; /** stored at or before this moment */ until?: string | null; /** of this session */ session_id?: string | null; /** recorded by this persona */ persona_id?: string | null; /** of this project */ project?: string | null; /** of this domain */ domain?: string | null; /** with these tags, all of them */ tags?: Array<string>; /** of at least this importance */ min_importance?: number | null; /** felt with this emotion */ emotion?: Emotion | null; /** in this zone */ zone?: "core" | "inner" | "outer" | "belt" | "cloud" | null; /** of this lifetime */ tier?: Tier | null; };

export type MemoryGroups = { /** each memory is in one of them, or in none */ groups: Array<GroupedMemories>; };

export type MemoryPage = { memories: Array<Memory>; /** the cursor of the next page; null after the last */ next?: string | null; };

export type MemoryStats = { total: number; cliff: number; zones: Record<string, number>; /** how many have a place in each zone; null: any number */ capacities: Record<string, number | null>; tiers: Record<string, number>; categories: Record<string, number>; states: Record<string, number>; /** the path of the file; returned only on this machine */ database: string | null; size_bytes: number | null; };

export type MemoryTable = { /** the rows of this page */ memories: Array<Memory>; /** how many rows there are */ total: number; /** field -> value -> how many of the rows have it, the most frequent values */ counts: Record<string, Record<string, number>>; };

export type ModelUsage = { calls: number; tokens: number; /** the language model; null if there is none */ model: string | null; };

export type NightReport = { /** whose night it was, as user/agent */ owner: string; at: string; dry_run: boolean; /** the process that was already running it */ busy: string | null; /** ended before its work did */ woken: boolean; /** memories by state, zone and lifetime */ before: Record<string, Record<string, number>>; after: Record<string, Record<string, number>>; duties: Array<DutyResult>; };

export type NightReports = { nights: Array<NightReport>; };

export type Observation = { decision: TurnDecision; /** the memory that was saved, or that the turn repeats */ memory: Memory | null; /** memories for the answer, as quoted data; empty if there are none */ context: string; /** the ids of the memories in the context */ used: Array<string>; /** what became of a request to forget something */ forgetting: ForgetAnswer | null; /** what the memories in the context feel like; null if there are none */ feeling: Feeling | null; /** what the user should be told: secrets redacted, nothing known about the question; else null */ notice: string | null; /** what went wrong, if anything did */ problem: string | null; };

export type OpenedProposal = { proposal: Proposal; /** good once, for exactly this diff */ token: string; /** why approving would be refused now: too much changed today; null: it would not */ limit: string | null; };

export type Orbits = { /** the moment of the scores; all moments here are seconds since 1970 */ at: number; /** how many are in orbit, shown or not */ total: number; zones: Array<ZoneBounds>; ids: Array<string>; zone: Array<number>; score: Array<number>; importance: Array<number>; tier: Array<string>; protection: Array<string>; state: Array<string>; /** [emotion, how much of it from 0 to 1] for each memory, the strongest first */ emotions: Array<Array<[string, number]>>; recalled_at: Array<number>; created_at: Array<number>; recalls: Array<number>; /** the first 80 characters of each text */ label: Array<string>; /** how many are in each zone, shown or not */ population: Array<number>; };

export type OrbitsPast = { /** the moment of each frame */ moments: Array<number>; zones: Array<ZoneBounds>; ids: Array<string>; label: Array<string>; importance: Array<number>; tier: Array<string>; /** [emotion, how much of it from 0 to 1] for each memory, the strongest first */ emotions: Array<Array<[string, number]>>; created_at: Array<number>; /** [frame, zone] for each memory, where the zone changes; zone -1: not there */ zone: Array<Array<[number, number]>>; /** [frame, score] for each memory, where the score has changed by 0.01; draw a straight line between */ score: Array<Array<[number, number]>>; /** memories of that time of which nothing is left to show */ gone: number; /** how many memories there are to show; of more than `limit` these are an even sample */ total: number; };

export type OtherText = { device: string; content: string; };

export type Outcome = "done" | "planned" | "held" | "failed";

export type Outlook = { /** [moment, score], in the order of time */ points: Array<[number, number]>; /** [moment, from zone, to zone] */ crossings: Array<[number, number, number]>; /** the parts of its score now */ breakdown: ScoreParts; /** how much each part counts */ weights: ScoreWeights; /** when its lifetime ends; null: never */ expires_at: number | null; };

export type PendingDistillation = { /** hand it in with the essence */ token: string; tier: string; /** what to ask a model; the memories stand in it as data */ prompt: string; sources: Array<string>; /** what rules made of them meanwhile */ current: string | null; };

export type PendingDistillations = { pending: Array<PendingDistillation>; };

export type PersonaBackend = { id: string; type: string; model: string | null; timeout: number; };

export type PersonaCycle = { depth_index: number; impact: number; transparency: number; reproducibility: number; verifiability: number; /** what the next cycle does differently */ adjustment: Record<string, unknown> | null; };

export type PersonaProfile = { id: string; name: string; role: string; stance: string | null; backend: string; system_prompt: string; max_tokens: number; };

export type PersonaRegistryView = { name: string; description: string; cycle: Array<string>; personas: Array<PersonaProfile>; backends: Array<PersonaBackend>; /** the kinds of validators, in their order */ validators: Array<string>; /** the names of all ready-made registries */ ready_made: Array<string>; };

export type PersonaRunList = { runs: Array<PersonaRunSummary>; };

export type PersonaRunResult = { session_id: string; question: string; /** the memory that the question became */ memory_id: string | null; registry: string; depth: number; /** the personas in the order in which they answered */ cycle: Array<string>; answers: Array<PersonaStep>; reports: Array<PersonaCycle>; /** the last synthesis, else the last answer */ final: string; };

export type PersonaRunSummary = { session_id: string; memory_id: string; question: string; at: string; registry: string | null; depth: number | null; cycle: Array<string>; answers: number; finished: boolean; };

export type PersonaStep = { persona_id: string; persona_name: string; role: string; backend: string; /** in which cycle, from 1 */ depth_index: number; /** the place in the cycle, from 1 */ step_index: number; /** the place in the run, from 1 */ sequence: number; text: string; /** the memory that it became; rate it to have it come back */ memory_id: string | null; /** past answers that its prompt quoted */ cases: Array<string>; /** the affect after it; kept between 0.3 and 0.7 */ affect: number; /** whether the affect had to be brought back */ injection_applied: boolean; token_count: number; /** validators that accepted it */ verified: number; /** validators that looked at it */ checked: number; /** whether a first answer was refused */ retried: boolean; };

export type PlannedChange = { id: string; /** what would become of this memory */ change: string; /** the other memory or the lifetime it has to do with */ other: string | null; };

export type PolicyStatus = { enabled: boolean; on: boolean; reranker_on: boolean; version: number; epsilon: number; updates: number; reranker_updates: number; rewards: number; mean_reward: number; trust: number; band_low: number; band_high: number; actions: Record<string, number>; exams: Record<string, ExamResult>; /** versions that cannot be used */ damaged: Array<number>; };

export type PolicyVersion = { version: number; at: string; /** how many rewards there had been when it began */ rewards: number; metrics: Record<string, unknown>; };

export type PolicyVersions = { checkpoints: Array<PolicyVersion>; };

export type PromptContext = { /** memories as quoted data, ready for a prompt; empty if nothing suits */ text: string; tokens: number; budget: number; used: Array<UsedMemory>; left_out: number; /** what the memories in the text feel like together; null if it is empty */ feeling?: Feeling | null; /** whether anything is stored about this; else the text is at most background */ known?: boolean; /** says that nothing is stored about this; null if something is */ notice?: string | null; /** of those left out, how many only repeat another one; the others found no room */ repeated?: number; /** beside those left out: how many a later statement replaced, or likely did */ ended?: number; };

export type ProofResult = { ok: boolean; /** unreadable, edited, not_purged, back (stored again), anchor_edited or other_anchor; null: it holds */ fault: string | null; memories: Array<CheckedPurge>; /** whose memories, USER / AGENT */ owner: string | null; /** NUMBER:HASH of the anchor: compare it with one that you were given */ anchor: string | null; /** the entry that is wrong */ event?: number | null; };

export type Proposal = { id: string; kind: ProposalKind; status: ProposalStatus; changes: Array<ProposedChange>; reasons: Record<string, unknown>; /** ids of memories */ evidence: Array<string>; proposed_at: string; expires_at: string; proposed_by: string; channel: Channel; decided_at?: string | null; decided_by?: string | null; decided_through?: string | null; };

export type ProposalKind = "core_promotion" | "core_change" | "core_deletion" | "island_founded" | "island_changed" | "belief_formed" | "belief_changed" | "soul_edit" | "self_rollback";

export type ProposalList = { proposals: Array<Proposal>; };

export type ProposalStatus = "pending" | "approved" | "rejected" | "expired" | "withdrawn";

export type ProposedChange = { on: string; id: string; before: Record<string, unknown> | null; after: Record<string, unknown> | null; };

export type Protection = "none" | "pinned" | "immutable" | "core";

export type PurgeProof = { format: string; version: number; owner: Record<string, string>; /** id, event, time and hash of each purge */ memories: Array<Record<string, unknown>>; /** NUMBER:HASH of the entry before the first one */ before: string; /** the ledger's entries from the first purge to the head that is anchored */ entries: Array<Array<unknown>>; /** the anchor over that head, and the one before it */ anchor: Record<string, unknown>; };

export type RebalanceCounts = { moved: number; evicted: number; forgotten: number; purged: number; /** memories that would leave, but are too many to leave without your word */ held: number; visited: number; in_orbit: number; milliseconds: number; };

export type RecordPage = { /** memories with every field, oldest first */ records: Array<Record<string, unknown>>; /** the cursor of the next page; null after the last */ next?: string | null; };

export type ReindexCounts = { embedded: number; failed: number; };

export type ReindexWordsCounts = { memories: number; };

export type RelatedMemories = { related: Array<RelatedMemory>; };

export type RelatedMemory = { memory: Memory; distance: number; /** tied by hand, not only by what both tell of */ linked: boolean; /** people and things that both tell of */ shared: Array<string>; /** one of them contradicts the other */ negative: boolean; };

export type RelationGraph = { subjects: Array<SubjectSummary>; links: Array<SubjectLink>; /** how many there are, shown or not */ total: number; };

export type Remaining = { memories: number; sessions: number; size_bytes: number; };

export type Replaced = { id: string; /** null if it was forgotten since */ content: string | null; };

export type RetentionResult = { dry_run: boolean; /** memories archived, or that would be */ archived: number; /** memories let go, or that would be */ forgotten: number; /** sessions archived, or that would be */ sessions: number; /** how many leave because of each limit */ by_limit: Record<string, number>; remaining: Remaining; /** limits that protected or fresh memories keep from being met */ still_over: Array<string>; problems: Array<string>; };

export type Rhythm = "daily" | "weekly" | "monthly" | "yearly";

export type Role = "user" | "assistant" | "system" | "tool";

export type ScheduledDuty = { duty: string; last: string | null; next: string | null; };

export type Scope = "read" | "write" | "approve" | "admin";

export type ScoreExplanation = { memory: Memory; score: number; /** the zone that its score belongs to; it may have to wait for room there */ target_zone: string; recall: number; freshness: number; importance: number; context: number; /** how much each part counts */ weights: ScoreWeights; /** the zones it will drift to, if nobody recalls it */ drifts: Array<ZoneDrift>; };

export type ScoreParts = { score: number; recall: number; freshness: number; importance: number; context: number; };

export type ScoreWeights = { recall: number; freshness: number; importance: number; context: number; };

export type SearchHit = { memory: Memory; relevance: number; lists?: Array<string>; /** its rank in each list; null unless requested */ ranks?: Record<string, number | null> | null; /** what each part adds to the relevance; null unless requested */ parts?: Record<string, number> | null; /** how likely it answers the question, 0 to 1 */ probability?: number; /** whether that reaches the standard floor */ known?: boolean; /** with explain: a hit above it that says the same; else null */ same_as?: string | null; /** a later memory that likely ended what this one says */ outdated_by?: string | null; };

export type SearchHits = { hits: Array<SearchHit>; /** with explain: which parts of the search ran, or why not */ stages: Record<string, string>; /** whether any hit reaches the standard floor; only such hits are reinforced */ known?: boolean; /** says that nothing is stored about this; null if something is */ notice?: string | null; };

export type SecretScanResult = { dry_run: boolean; found: Array<FoundSecret>; /** ids of memories, and of their redacted copies */ redacted: Record<string, string>; /** what could not be redacted: delete such backups yourself */ left: Array<FoundSecret>; };

export type Self = { version: number; islands?: Array<Island>; beliefs?: Array<Belief>; };

export type SelfVersions = { versions: Array<ApprovedSelf>; };

export type ServerStatus = { version: string; /** the model of the vectors; null: words alone */ embedder: string | null; dimensions: number | null; /** memories of all owners that have no vector yet; reindex gives them one */ without_vector: number; /** what makes words of texts */ words: string | null; /** the language model; null if there is none */ model: string | null; model_uses: Array<string>; model_calls_today: number; model_tokens_today: number; schedule: Array<ScheduledDuty>; /** the path of the file; returned to the dashboard only */ database: string | null; /** the folder of the ledger's daily files; returned to the dashboard only */ ledger: string | null; /** the folder of archived sessions; returned to the dashboard only */ archive: string | null; size_bytes: number | null; /** how many memories of this owner are in each state */ states: Record<string, number>; /** how many entries the ledger has, of all owners */ entries: number; };

export type SessionIds = { session_ids: Array<string>; };

export type SettingList = { settings: Array<SettingView>; };

export type SettingView = { /** its place in celestial.toml, such as `sleep.nightly` */ key: string; /** what holds at the next start; null: it depends, or it is not told */ value: string | null; default: string | null; /** default, file, environment or option */ source: string; /** the variable that sets it */ by: string | null; /** text, path, choice, whole, number, limit (a whole number or none) or list */ kind: string; choices: Array<string>; /** why it cannot be changed here: by_hand, environment (a variable overrides the file), no_file; or null */ lock: string | null; /** a running server uses a change only after it is started again */ restart: boolean; /** this server still runs with another value */ waiting: boolean; };

export type SleepSchedule = { duties: Array<DutyTime>; /** the process that is running the nightly job */ asleep: string | null; };

export type Source = "conversation" | "observation" | "distillation" | "user" | "import" | "imagination";

export type SourceKind = "memory" | "session" | "import";

export type SourceRetraction = { trace: SourceTrace; /** the number that takes the retraction back */ event: number | null; dry_run: boolean; };

export type SourceTrace = { sources: Array<Memory>; /** made of these sources alone */ distilled: Array<Memory>; imagined: Array<Memory>; /** made of other sources too: a retraction leaves them */ shared: Array<Memory>; /** memories that counted a duplicate of a source */ merged_into: Array<string>; /** older statements that a source ended */ superseded: Array<Memory>; islands: Array<string>; beliefs: Array<string>; triples: number; /** the last version of what was learned before the source was here */ policy_version: number | null; /** versions learned since; `policy rollback` goes back */ learned_since: number; /** memories that a retraction lets go */ leaving: Array<string>; /** core and immutable memories, which stay */ protected: Array<string>; };

export type State = "active" | "faded" | "inactive" | "archived" | "cliff" | "purged";

export type Subject = "user" | "person" | "thing";

export type SubjectAttribute = { attribute: string; /** newest first, at most 50 */ statements: Array<SubjectStatement>; /** how many there are, shown or not */ total: number; };

export type SubjectDetails = { subject: SubjectSummary; attributes: Array<SubjectAttribute>; /** the newest that tell of it */ memories: Array<Memory>; /** how many memories tell of it */ total: number; /** its ties, at most 500, the most frequent first */ links: Array<SubjectLink>; };

export type SubjectKind = "user" | "person" | "thing";

export type SubjectLink = { source: string; target: string; /** what ties them, in the words of most memories */ predicate: string; memories: number; };

export type SubjectList = { subjects: Array<SubjectSummary>; total: number; };

export type SubjectStatement = { /** the memory that says it */ id: string; /** the words that state the value, if known */ value: string | null; text: string; /** when it was stored */ since: string; /** when it stopped being true; null: it still is */ until: string | null; };

export type SubjectSummary = { /** its name as the graph knows it */ key: string; /** its name as memories spell it */ name: string; kind: SubjectKind; /** how many memories tell of it */ memories: number; /** when the newest of them was stored */ last_at: string; /** other names for it, such as sister */ aliases: Array<string>; };

export type SyncConflict = { /** the memory that was edited on two devices */ id: string; /** the newer text */ in_force: string; /** the other texts; editing the memory again settles it */ others: Array<OtherText>; };

export type SyncDevice = { id: string; name: string; /** when something of it was last merged here */ heard_at: string | null; /** seconds; only if its clock is ahead by more than a day */ clock_ahead: number | null; };

export type SyncExchange = { device: string; /** the next bundle for the caller, in base64; null: there is nothing new */ bundle: string | null; /** its hash, to be sent as received */ hash: string | null; };

export type SyncState = { /** the id of this device */ device: string; name: string; devices: Array<SyncDevice>; /** memories that wait to be sent, by folder or device */ unsent: Record<string, number>; conflicts: Array<SyncConflict>; };

export type TableSort = "created" | "recalled" | "importance" | "score" | "recalls" | "leaving" | "text";

export type TextDocument = { text: string; };

export type Tier = "M30" | "M90" | "M365" | "M0";

export type TierFlow = { source: string; target: string; count: number; };

export type Token = { id: string; name: string; /** whose memories it opens, as user/agent */ owner: string; scopes: Array<string>; created_at: string; last_used_at: string | null; revoked_at: string | null; /** of a session in a browser; null: until it is revoked */ expires_at: string | null; };

export type TokenList = { tokens: Array<Token>; };

export type TurnDecision = { turn_id: string; /** save it, skip it, or retrieve memories for it */ action: Action; reason: string; /** what decided: rules, sure (a certain rule) or learned */ phase: string; confidence: number; /** how much the turn is worth saving, 0 to 1 */ importance: number; /** memories help with the answer */ fetches: boolean; /** the memory that says the same already */ duplicate_of: string | null; explored: boolean; /** what the turn asks to forget, in its own words; the rest is decided about */ forget: string | null; /** the features of the turn and its position; null unless requested */ features?: Record<string, unknown> | null; };

export type TurnPage = { /** newest first */ turns: Array<DecidedTurn>; /** `before` of the next page; null after the last */ next?: string | null; };

export type TurnSigns = { /** the probability that the turn is worth saving, 0 to 1 */ importance: number; /** the probability that memories help to reply, 0 to 1 */ needs_memory: number; /** what the user does by saying this: statement, question, request, instruction, ... */ act: string; /** how long it stays true: passing, season, lasting */ lifetime: string; category: string; /** whom it is about: user, person, thing */ subject: string; /** what it says about them, such as home, work or health */ attribute: string; /** what read it: the trained model, or rules for other languages */ read_by: string; /** the parts of the text that decided whether to save it */ because: Array<string>; question: boolean; personal: boolean; preference: boolean; technical: boolean; emotion: boolean; /** asks to be remembered */ remember: boolean; small_talk: boolean; prose: boolean; };

export type UnwantedList = { /** turns that say this are not kept, unless the user asks for it */ attributes: Array<Attribute>; };

export type UsedMemory = { id: string; /** 0 the full text, 1 its gist, 2 its facts */ level: number; tokens: number; /** part of the profile, whatever the question */ background?: boolean; };

export type UserProfile = { /** the facts as quoted data, ready for a prompt; empty if nothing lasting is known */ text: string; tokens: number; budget: number; /** lasting facts that are still true, at least in part, in the order of the text */ facts: Array<KnownFact>; /** facts that found no room */ left_out: number; };

export type ZoneBounds = { zone: number; name: string; /** the lowest score that belongs here; null: any */ lower: number | null; /** how many have a place; null: any number */ slots: number | null; };

export type ZoneDrift = { zone: string; at: string; };

export type answer_judge_body = { /** what was asked */ question: string; /** whether the memories that are found for it answer it */ right: boolean; /** the filter that was asked with */ where?: MemoryFilter | null; };

export type archive_bring_back_body = { /** an archived session or memory */ which: string; };

export type auto_search_body = { /** what the user just said, or what is being worked on */ query: string; /** at most so many tokens */ budget?: number; /** consider at most so many memories */ limit?: number; /** only memories like this */ where?: MemoryFilter | null; /** count this as a recall, which makes what is used more central */ reinforce?: boolean; /** begin with what is known about the user, in a quarter of the budget */ profile?: boolean; };

export type coordinate_add_body = { /** a coordinate document, with its id, time and coordinates */ document: Record<string, unknown>; };

export type demo_add_body = { /** of the texts */ language?: DemoLanguage; };

export type distill_commit_body = { /** of the pending entry */ token: string; /** one or two sentences: the person, the relation and the pattern, nothing added */ text: string; };

export type event_log_body = { /** the conversation it happened in */ session_id: string; /** user_input, persona_response, tool_call, evaluation, or a name of your own */ event_type: string; /** the persona it is about */ persona_id?: string | null; /** the memory it is about */ memory_id?: string | null; /** ids of other memories it has to do with */ memory_refs?: Array<string>; /** how the prompt was read */ bqi_coordinate?: Record<string, unknown> | null; /** scores from 0 to 1, and what else was judged */ evaluation?: Record<string, unknown> | null; /** what was changed because of it */ plan_adjustment?: Record<string, unknown> | null; };

export type feedback_body = { /** what the turn was worth; or give a text */ reward?: number | null; /** the user's reply, instead of a number */ text?: string | null; /** the turn; the last one if left out */ turn_id?: string | null; /** the last turn of this conversation */ session_id?: string | null; };

export type gossip_peer_add_body = { /** its address: https://..., or http://127.0.0.1:PORT */ url: string; /** its public key, as `celestial gossip status` shows it there */ key: string; };

export type guard_scan_body = { /** redact what is found; otherwise it is only listed */ redact?: boolean; };

export type imagination_feedback_body = { /** whether it was welcome */ liked: boolean; };

export type imagine_body = { /** what is going on, in words */ context?: string | null; /** for how many minutes nothing has been going on */ idle_minutes?: number | null; };

export type ledger_verify_body = { /** a head of this owner's chain that was kept elsewhere, NUMBER:HASH */ head?: string | null; /** a head of the anchors that was kept elsewhere, NUMBER:HASH */ anchor?: string | null; /** check only this owner's chain, not the chains of all owners */ this_owner?: boolean; };

export type memory_as_of_body = { /** the moment, with its time zone */ at: string; /** what to look for among them; all of them if left out */ query?: string | null; /** at most so many */ limit?: number; /** only memories like this */ where?: MemoryFilter | null; };

export type memory_forget_where_body = { /** which memories; at least one condition is required */ where: MemoryFilter; };

export type memory_import_body = { /** records as an export gives them; known ids are passed over */ records: Array<Record<string, unknown>>; };

export type memory_list_body = { /** at most so many */ limit?: number; /** `next` of the page before; leave it out for the first page */ cursor?: string | null; /** only memories like this */ where?: MemoryFilter | null; };

export type memory_rate_body = { /** how good this memory is, by the user */ stars: number; };

export type memory_restore_body = { /** ids of forgotten memories; those of several that are back already stay */ ids?: Array<string>; /** in place of ids: everything that can be restored */ all?: boolean; /** instead of ids: all that were removed for this reason */ reason?: DepartureReason | null; };

export type memory_save_body = { /** what to remember: one fact, preference, event or decision in its own words */ content: string; importance?: number | null; /** anything else, as a JSON object */ metadata?: Record<string, unknown>; /** tags to find it by */ tags?: Array<string>; /** what it is about; read from the text if left out */ keywords?: Array<string>; /** what kind of thing it says; read from the text if left out */ category?: Category | null; /** how long it may live; unless given, as long as it stays true */ tier?: "M30" | "M90" | "M365" | null; /** never forget it on its own */ pinned?: boolean; /** refuse every change and deletion */ immutable?: boolean; /** the conversation it belongs to */ session_id?: string | null; /** the persona that speaks */ persona_id?: string | null; /** the persona's name for people */ persona_name?: string | null; /** the role in which it is said */ role?: string | null; /** the model or program that said it */ backend?: string | null; /** the project it belongs to */ project?: string | null; /** the domain it belongs to */ domain?: string | null; /** files it is about */ files?: Array<string>; /** its depth in a thread of thought, 0 or more */ depth?: number | null; /** how it felt; felt from the text if left out */ emotions?: Array<Emotion>; /** how strongly that was felt; 0.5 unless given */ intensity?: number | null; /** what kind of text it is */ type?: ContentType; /** the prompt it answers; 500 characters are kept */ prompt?: string | null; /** a summary to keep with it */ summary?: string | null; /** read the prompt, else the text, as a BQI coordinate */ bqi?: boolean; /** the memory it follows */ parent?: string | null; /** memories that it belongs to */ related?: Array<string>; /** where it comes from */ source?: "user" | "conversation" | "observation" | "import"; };

export type memory_save_many_body = { /** what to remember, each a memory of its own; all are stored or none */ contents: Array<string>; importance?: number | null; /** the conversation they belong to */ session_id?: string | null; /** where they come from */ source?: "user" | "conversation" | "observation" | "import"; };

export type memory_search_body = { /** what to look for, as a question, a sentence or words */ query: string; /** at most so many */ limit?: number; /** only memories like this */ where?: MemoryFilter | null; /** count this as a recall, which makes what is found more central */ reinforce?: boolean; /** how likely a memory must answer to be returned; 0: all of them; left out: the standard floor */ floor?: number | null; /** tell which parts of the search ran, and what each adds to the relevance */ explain?: boolean; };

export type memory_table_body = { /** what to sort by; leaving: the end of a lifetime, what never ends last */ sort?: TableSort; /** the newest, highest or last first */ descending?: boolean; /** how many rows to pass over */ first?: number; /** at most so many */ limit?: number; /** count the values of each field, for filters */ counts?: boolean; /** in one of these states; active and faded unless given */ states?: Array<State>; /** in this zone */ zone?: "core" | "inner" | "outer" | "belt" | "cloud" | null; /** of this lifetime */ tier?: Tier | null; /** whose statement stays true for so long */ lifetime?: Lifetime | null; /** protected like this */ protection?: Protection | null; /** that say this about somebody, such as home or money */ attribute?: Attribute | null; /** that came from here */ source?: Source | null; /** of this session */ session_id?: string | null; /** of this project */ project?: string | null; /** with this tag */ tag?: string | null; /** felt with this emotion */ emotion?: Emotion | null; /** that tell of this person or thing */ about?: string | null; /** whose text has these characters in it */ text?: string | null; /** true: only what still holds; false: only what was replaced */ current?: boolean | null; };

export type memory_update_body = { /** the new text; the old one stays in the history */ content?: string | null; /** the new importance */ importance?: number | null; /** the new metadata */ metadata?: Record<string, unknown> | null; /** the new tags, in place of all it had */ tags?: Array<string> | null; /** the new keywords, in place of all it had; an empty list has them read from the text */ keywords?: Array<string> | null; /** the new category */ category?: Category | null; /** the new lifetime, which begins its full time again */ tier?: "M30" | "M90" | "M365" | null; };

export type personas_run_body = { /** what the personas are asked */ question?: string | null; /** how many times the whole cycle answers, 1 unless given */ depth?: number | null; /** a ready-made registry (dialectic, code-review, planning-ko); at the machine also a file */ registry?: string | null; /** go on with the run of this session, in place of a question */ resume?: string | null; /** answer with echoes in place of language models */ offline?: boolean; };

export type policy_decide_body = { /** what was said in this turn */ content: string; /** who said it */ role?: Role; /** the turns before it, oldest first */ history?: Array<EarlierTurn>; /** a name for this turn; one is made up otherwise */ turn_id?: string | null; /** tell what was seen in the turn */ explain?: boolean; };

export type policy_rollback_body = { /** a version that is kept; 0 is the beginning */ version: number; };

export type proof_check_body = { /** the document */ document: Record<string, unknown>; /** the anchor that you were given another way, NUMBER:HASH */ anchor?: string | null; };

export type proposal_approve_body = { /** from proposal_open; left out where a client asks its user */ token?: string | null; };

export type propose_belief_body = { /** one sentence: "I am ..." or "나는 ...한 존재다" */ statement: string; /** ids of memories of the tiers M365 or M0 that hold it up */ supports: Array<string>; /** the id of its island */ island?: string | null; };

export type propose_core_body = { /** the id of a memory */ id: string; };

export type propose_core_change_body = { /** the id of a memory */ id: string; /** the new text of the core memory */ content: string; };

export type propose_core_deletion_body = { /** the id of a memory */ id: string; };

export type propose_island_body = { /** a short name of the trait */ name: string; /** ids of core memories */ founders: Array<string>; /** one sign */ emoji?: string; /** what it means, in one sentence */ description?: string; };

export type propose_rollback_body = { /** a version of the self; 0 is before the first */ version: number; };

export type purge_proof_body = { /** the memories that were purged, by their whole ids */ ids: Array<string>; };

export type rebalance_body = { /** confirms that many memories may be removed at once */ allow_large?: boolean; };

export type retention_run_body = { /** the limits to carry out; null: those of the settings */ preset?: "coordinates-v1" | null; /** only tell what would be done */ dry_run?: boolean; };

export type session_list_body = { /** only of memories like this */ where?: MemoryFilter | null; };

export type setting_change_body = { /** the new value as text, lists with commas; null: the default holds again */ value: string | null; };

export type sleep_cycle_run_body = { /** only tell what would be done */ dry_run?: boolean; /** only these; those that are due if left out */ duties?: Array<Duty> | null; /** all of them now, whatever the calendar says */ force?: boolean; /** confirms that many memories may be removed at once */ allow_large?: boolean; };

export type sleep_everybody_body = { /** only tell what would be done */ dry_run?: boolean; /** only these; those that are due if left out */ duties?: Array<Duty> | null; /** all of them now, whatever the calendar says */ force?: boolean; /** confirms that many memories may be removed at once */ allow_large?: boolean; };

export type soul_propose_body = { /** SOUL.md as `soul_show` gives it, with your edits; lines keep their marks */ text: string; };

export type source_retract_body = { /** the id of a memory, a session, or an import: a format such as mem0, or the name of a file */ which: string; /** what that is; unset: the first that fits */ kind?: SourceKind | null; /** only tell what would go */ dry_run?: boolean; };

export type source_trace_body = { /** the id of a memory, a session, or an import: a format such as mem0, or the name of a file */ which: string; /** what that is; unset: the first that fits */ kind?: SourceKind | null; };

export type sync_exchange_body = { /** the id of the calling device */ device: string; /** a bundle in base64; null: the caller has nothing new */ bundle?: string | null; /** the token of the last exchange; empty at the first */ previous?: string; /** the token of this exchange */ token?: string; /** the hash of the bundle that the caller got last */ received?: string; };

export type token_create_body = { /** what to know it by later */ name: string; /** its scopes; write includes read */ scopes?: Array<Scope>; };

export type turn_observe_body = { /** what was said in this turn */ content: string; /** who said it */ role?: Role; /** the turns before it, oldest first */ history?: Array<EarlierTurn>; /** a name for this turn; one is made up otherwise */ turn_id?: string | null; /** the conversation it belongs to */ session_id?: string | null; /** at most so many tokens */ budget?: number; };

export type turn_perceive_body = { /** what was said in this turn */ content: string; /** who said it */ role?: Role; };

const ROUTES = {
  auto_search: {"method": "POST", "path": "/v1/context", "query": [], "header": {}},
  memory_profile: {"method": "GET", "path": "/v1/profile", "query": ["budget"], "header": {}},
  memory_get_related: {"method": "GET", "path": "/v1/memories/{id}/related", "query": ["depth", "limit"], "header": {}},
  memory_search: {"method": "POST", "path": "/v1/memories/search", "query": [], "header": {}},
  memory_save: {"method": "POST", "path": "/v1/memories", "query": [], "header": {"idempotency_key": "Idempotency-Key"}},
  memory_save_many: {"method": "POST", "path": "/v1/memories/batch", "query": [], "header": {}},
  memory_update: {"method": "PATCH", "path": "/v1/memories/{id}", "query": [], "header": {"if_match": "If-Match"}},
  memory_delete: {"method": "DELETE", "path": "/v1/memories/{id}", "query": [], "header": {"if_match": "If-Match"}},
  memory_get: {"method": "GET", "path": "/v1/memories/{id}", "query": [], "header": {}},
  memory_pin: {"method": "PUT", "path": "/v1/memories/{id}/pin", "query": [], "header": {}},
  memory_unpin: {"method": "DELETE", "path": "/v1/memories/{id}/pin", "query": [], "header": {}},
  memory_rate: {"method": "PUT", "path": "/v1/memories/{id}/rating", "query": [], "header": {}},
  memory_remind: {"method": "POST", "path": "/v1/memories/{id}/remind", "query": [], "header": {}},
  memory_influenced: {"method": "POST", "path": "/v1/memories/{id}/influence", "query": [], "header": {}},
  distill_pending: {"method": "GET", "path": "/v1/distillation", "query": ["limit"], "header": {}},
  distill_commit: {"method": "POST", "path": "/v1/distillation", "query": [], "header": {}},
  memory_forget_where: {"method": "POST", "path": "/v1/memories/forget", "query": [], "header": {}},
  cliff_list: {"method": "GET", "path": "/v1/cliff", "query": ["limit", "cursor"], "header": {}},
  memory_restore: {"method": "POST", "path": "/v1/cliff/restore", "query": [], "header": {}},
  memory_list: {"method": "POST", "path": "/v1/memories/list", "query": [], "header": {}},
  session_list: {"method": "POST", "path": "/v1/sessions/list", "query": [], "header": {}},
  memory_stats: {"method": "GET", "path": "/v1/stats", "query": [], "header": {}},
  memory_explain: {"method": "GET", "path": "/v1/memories/{id}/explanation", "query": [], "header": {}},
  memory_history: {"method": "GET", "path": "/v1/events", "query": ["id", "limit", "cursor"], "header": {}},
  event_log: {"method": "POST", "path": "/v1/events", "query": [], "header": {}},
  model_spent: {"method": "GET", "path": "/v1/model", "query": [], "header": {}},
  memory_table: {"method": "POST", "path": "/v1/memories/table", "query": [], "header": {}},
  subject_list: {"method": "GET", "path": "/v1/subjects", "query": ["limit"], "header": {}},
  subject_show: {"method": "GET", "path": "/v1/subjects/{name}", "query": ["limit"], "header": {}},
  memory_groups: {"method": "GET", "path": "/v1/orbits/groups", "query": ["by", "most"], "header": {}},
  relation_graph: {"method": "GET", "path": "/v1/relations", "query": ["name", "hops", "limit"], "header": {}},
  turn_list: {"method": "GET", "path": "/v1/turns", "query": ["limit", "before"], "header": {}},
  turn_observe: {"method": "POST", "path": "/v1/turns", "query": [], "header": {}},
  policy_decide: {"method": "POST", "path": "/v1/turns/decide", "query": [], "header": {}},
  turn_perceive: {"method": "POST", "path": "/v1/turns/perceive", "query": [], "header": {}},
  feedback: {"method": "POST", "path": "/v1/turns/feedback", "query": [], "header": {}},
  answer_judge: {"method": "POST", "path": "/v1/search/feedback", "query": [], "header": {}},
  policy_status: {"method": "GET", "path": "/v1/policy", "query": [], "header": {}},
  unwanted_list: {"method": "GET", "path": "/v1/policy/unwanted", "query": [], "header": {}},
  unwanted_add: {"method": "PUT", "path": "/v1/policy/unwanted/{attribute}", "query": [], "header": {}},
  unwanted_remove: {"method": "DELETE", "path": "/v1/policy/unwanted/{attribute}", "query": [], "header": {}},
  policy_checkpoints: {"method": "GET", "path": "/v1/policy/checkpoints", "query": [], "header": {}},
  policy_rollback: {"method": "POST", "path": "/v1/policy/rollback", "query": [], "header": {}},
  inbox_list: {"method": "GET", "path": "/v1/inbox", "query": ["status", "limit"], "header": {}},
  proposal_show: {"method": "GET", "path": "/v1/inbox/{proposal}", "query": [], "header": {}},
  proposal_open: {"method": "POST", "path": "/v1/inbox/{proposal}/open", "query": [], "header": {}},
  proposal_approve: {"method": "POST", "path": "/v1/inbox/{proposal}/approve", "query": [], "header": {}},
  proposal_reject: {"method": "POST", "path": "/v1/inbox/{proposal}/reject", "query": [], "header": {}},
  propose_core: {"method": "POST", "path": "/v1/proposals/core", "query": [], "header": {}},
  propose_core_change: {"method": "POST", "path": "/v1/proposals/core-change", "query": [], "header": {}},
  propose_core_deletion: {"method": "POST", "path": "/v1/proposals/core-deletion", "query": [], "header": {}},
  propose_island: {"method": "POST", "path": "/v1/proposals/island", "query": [], "header": {}},
  propose_belief: {"method": "POST", "path": "/v1/proposals/belief", "query": [], "header": {}},
  propose_rollback: {"method": "POST", "path": "/v1/proposals/rollback", "query": [], "header": {}},
  core_nominations: {"method": "GET", "path": "/v1/nominations", "query": [], "header": {}},
  core_approve: {"method": "POST", "path": "/v1/nominations/{id}/approve", "query": [], "header": {}},
  self_show: {"method": "GET", "path": "/v1/self", "query": [], "header": {}},
  self_versions: {"method": "GET", "path": "/v1/self/versions", "query": ["limit"], "header": {}},
  self_context: {"method": "GET", "path": "/v1/self/context", "query": ["budget"], "header": {}},
  soul_show: {"method": "GET", "path": "/v1/self/soul", "query": [], "header": {}},
  soul_propose: {"method": "POST", "path": "/v1/self/soul", "query": [], "header": {}},
  sleep_status: {"method": "GET", "path": "/v1/sleep", "query": [], "header": {}},
  sleep_cycle_run: {"method": "POST", "path": "/v1/sleep", "query": [], "header": {}},
  sleep_reports: {"method": "GET", "path": "/v1/sleep/reports", "query": ["limit"], "header": {}},
  sleep_everybody: {"method": "POST", "path": "/v1/sleep/everybody", "query": [], "header": {}},
  imagine: {"method": "POST", "path": "/v1/imagination", "query": [], "header": {}},
  imagination_list: {"method": "GET", "path": "/v1/imagination", "query": ["limit"], "header": {}},
  imagination_feedback: {"method": "PUT", "path": "/v1/imagination/{id}/liked", "query": [], "header": {}},
  imagination_patterns: {"method": "GET", "path": "/v1/imagination/patterns", "query": [], "header": {}},
  personas_run: {"method": "POST", "path": "/v1/personas/runs", "query": [], "header": {}},
  personas_runs: {"method": "GET", "path": "/v1/personas/runs", "query": ["limit"], "header": {}},
  personas_show: {"method": "GET", "path": "/v1/personas/registry", "query": ["registry"], "header": {}},
  gossip_status: {"method": "GET", "path": "/v1/gossip", "query": [], "header": {}},
  gossip_on: {"method": "POST", "path": "/v1/gossip/on", "query": [], "header": {}},
  gossip_off: {"method": "POST", "path": "/v1/gossip/off", "query": [], "header": {}},
  gossip_leave: {"method": "POST", "path": "/v1/gossip/leave", "query": [], "header": {}},
  gossip_peer_add: {"method": "POST", "path": "/v1/gossip/peers", "query": [], "header": {}},
  gossip_peer_remove: {"method": "DELETE", "path": "/v1/gossip/peers/{key}", "query": [], "header": {}},
  source_trace: {"method": "POST", "path": "/v1/sources/trace", "query": [], "header": {}},
  source_retract: {"method": "POST", "path": "/v1/sources/retract", "query": [], "header": {}},
  source_retract_undo: {"method": "POST", "path": "/v1/sources/retractions/{event}/undo", "query": [], "header": {}},
  sync_status: {"method": "GET", "path": "/v1/sync", "query": [], "header": {}},
  sync_exchange: {"method": "POST", "path": "/v1/sync", "query": [], "header": {}},
  memory_export: {"method": "GET", "path": "/v1/export", "query": ["limit", "cursor"], "header": {}},
  memory_import: {"method": "POST", "path": "/v1/import", "query": [], "header": {}},
  coordinate_add: {"method": "POST", "path": "/v1/coordinates", "query": [], "header": {}},
  memory_as_of: {"method": "POST", "path": "/v1/memories/as-of", "query": [], "header": {}},
  undo: {"method": "POST", "path": "/v1/events/{event}/undo", "query": [], "header": {}},
  ledger_repair: {"method": "POST", "path": "/v1/ledger/repair", "query": [], "header": {}},
  ledger_compress: {"method": "POST", "path": "/v1/ledger/compress", "query": [], "header": {}},
  ledger_verify: {"method": "POST", "path": "/v1/ledger/verify", "query": [], "header": {}},
  ledger_head: {"method": "GET", "path": "/v1/ledger/head", "query": [], "header": {}},
  ledger_anchor: {"method": "POST", "path": "/v1/ledger/anchor", "query": [], "header": {}},
  purge_proof: {"method": "POST", "path": "/v1/ledger/proofs", "query": [], "header": {}},
  proof_check: {"method": "POST", "path": "/v1/ledger/proofs/check", "query": [], "header": {}},
  backup_create: {"method": "POST", "path": "/v1/backups", "query": [], "header": {}},
  retention_run: {"method": "POST", "path": "/v1/retention", "query": [], "header": {}},
  archive_list: {"method": "GET", "path": "/v1/archives", "query": [], "header": {}},
  archive_bring_back: {"method": "POST", "path": "/v1/archives/bring-back", "query": [], "header": {}},
  guard_scan: {"method": "POST", "path": "/v1/guard/scan", "query": [], "header": {}},
  rebalance: {"method": "POST", "path": "/v1/rebalance", "query": [], "header": {}},
  reindex: {"method": "POST", "path": "/v1/reindex", "query": [], "header": {}},
  reindex_words: {"method": "POST", "path": "/v1/reindex/words", "query": [], "header": {}},
  repair: {"method": "POST", "path": "/v1/repair", "query": [], "header": {}},
  check: {"method": "GET", "path": "/v1/check", "query": [], "header": {}},
  setting_list: {"method": "GET", "path": "/v1/settings", "query": [], "header": {}},
  setting_change: {"method": "PUT", "path": "/v1/settings/{key}", "query": [], "header": {}},
  orbits: {"method": "GET", "path": "/v1/orbits", "query": ["limit"], "header": {}},
  orbits_past: {"method": "GET", "path": "/v1/orbits/past", "query": ["start", "end", "frames", "limit"], "header": {}},
  memory_outlook: {"method": "GET", "path": "/v1/memories/{id}/outlook", "query": ["days"], "header": {}},
  insight: {"method": "GET", "path": "/v1/insight", "query": ["days", "utc_offset"], "header": {}},
  guard_rules: {"method": "GET", "path": "/v1/guard", "query": [], "header": {}},
  server_status: {"method": "GET", "path": "/v1/status", "query": [], "header": {}},
  token_list: {"method": "GET", "path": "/v1/tokens", "query": [], "header": {}},
  token_create: {"method": "POST", "path": "/v1/tokens", "query": [], "header": {}},
  token_revoke: {"method": "DELETE", "path": "/v1/tokens/{id}", "query": [], "header": {}},
  demo_add: {"method": "POST", "path": "/v1/demo", "query": [], "header": {}},
  demo_remove: {"method": "DELETE", "path": "/v1/demo", "query": [], "header": {}},
} satisfies Record<string, Route>;

/** Every operation of the server as a method. */

export class CelestialClient extends Transport {
  /** Call at the start of every turn: the memories that suit what the user just said, ready for the prompt. */
  autoSearch(request: auto_search_body): Promise<PromptContext> {
    return this.call(ROUTES.auto_search, request);
  }

  /** What is known about the user: lasting facts that are still true, the most telling first. */
  memoryProfile(request: { /** at most so many tokens */ budget?: number; } = {}): Promise<UserProfile> {
    return this.call(ROUTES.memory_profile, request);
  }

  /** Follow a memory's links and the people and things it tells of to other memories, up to three steps. */
  memoryGetRelated(request: { /** the id of a memory */ id: string; /** how many steps away */ depth?: number; /** at most so many */ limit?: number; }): Promise<RelatedMemories> {
    return this.call(ROUTES.memory_get_related, request);
  }

  /** Find memories by meaning, words and relations, best first; what is found becomes more central. */
  memorySearch(request: memory_search_body): Promise<SearchHits> {
    return this.call(ROUTES.memory_search, request);
  }

  /** Remember one thing about the user or the work for later conversations; secrets are redacted. */
  memorySave(request: { /** sent again within a day with the same key, it is stored once */ idempotency_key?: string | null; } & memory_save_body): Promise<Memory> {
    return this.call(ROUTES.memory_save, request);
  }

  /** Remember many texts at once: all of them, or none. */
  memorySaveMany(request: memory_save_many_body): Promise<MemoryPage> {
    return this.call(ROUTES.memory_save_many, request);
  }

  /** Correct or extend a memory; what it said before stays in its history and can be undone. */
  memoryUpdate(request: { /** the id of a memory */ id: string; /** only if the memory still has this version */ if_match?: string | null; } & memory_update_body): Promise<Memory> {
    return this.call(ROUTES.memory_update, request);
  }

  /** Let a memory go; it can be restored for seven days. */
  memoryDelete(request: { /** the id of a memory */ id: string; /** only if the memory still has this version */ if_match?: string | null; }): Promise<Memory> {
    return this.call(ROUTES.memory_delete, request);
  }

  /** One memory, whole, by its id. */
  memoryGet(request: { /** the id of a memory */ id: string; }): Promise<Memory> {
    return this.call(ROUTES.memory_get, request);
  }

  /** Keep a memory from ever being forgotten on its own. */
  memoryPin(request: { /** the id of a memory */ id: string; }): Promise<Memory> {
    return this.call(ROUTES.memory_pin, request);
  }

  /** Let a pinned memory age again. */
  memoryUnpin(request: { /** the id of a memory */ id: string; }): Promise<Memory> {
    return this.call(ROUTES.memory_unpin, request);
  }

  /** Note the user's stars, 1 to 5, on a memory; they raise or lower its importance. */
  memoryRate(request: { /** the id of a memory */ id: string; } & memory_rate_body): Promise<Memory> {
    return this.call(ROUTES.memory_rate, request);
  }

  /** Bring one memory to mind: counted and fresh, and whole again if it had faded. */
  memoryRemind(request: { /** the id of a memory */ id: string; }): Promise<Memory> {
    return this.call(ROUTES.memory_remind, request);
  }

  /** Note that something was done differently because of a memory. */
  memoryInfluenced(request: { /** the id of a memory */ id: string; }): Promise<Memory> {
    return this.call(ROUTES.memory_influenced, request);
  }

  /** Memories whose essence is to be written, each with a prompt and a token. */
  distillPending(request: { /** at most so many */ limit?: number; } = {}): Promise<PendingDistillations> {
    return this.call(ROUTES.distill_pending, request);
  }

  /** Hand in the essence of a pending entry; what no source says is refused. */
  distillCommit(request: distill_commit_body): Promise<Memory> {
    return this.call(ROUTES.distill_commit, request);
  }

  /** Let all memories that a filter asks for go; they can be restored for seven days. */
  memoryForgetWhere(request: memory_forget_where_body): Promise<MemoryPage> {
    return this.call(ROUTES.memory_forget_where, request);
  }

  /** What was forgotten and can still be restored, with the moment it will be gone. */
  cliffList(request: { /** at most so many */ limit?: number; /** `next` of the page before; leave it out for the first page */ cursor?: string | null; } = {}): Promise<MemoryPage> {
    return this.call(ROUTES.cliff_list, request);
  }

  /** Bring forgotten memories back, with the full time of their lifetime. */
  memoryRestore(request: memory_restore_body = {}): Promise<MemoryPage> {
    return this.call(ROUTES.memory_restore, request);
  }

  /** The newest memories, or those that a filter asks for. */
  memoryList(request: memory_list_body = {}): Promise<MemoryPage> {
    return this.call(ROUTES.memory_list, request);
  }

  /** The conversations that memories belong to. */
  sessionList(request: session_list_body = {}): Promise<SessionIds> {
    return this.call(ROUTES.session_list, request);
  }

  /** How many memories there are, by zone, lifetime, category and state. */
  memoryStats(request: Record<string, never> = {}): Promise<MemoryStats> {
    return this.call(ROUTES.memory_stats, request);
  }

  /** Why a memory is where it is: the parts of its score, and when it will drift to which zone. */
  memoryExplain(request: { /** the id of a memory */ id: string; }): Promise<ScoreExplanation> {
    return this.call(ROUTES.memory_explain, request);
  }

  /** What happened to a memory, or to all of them, newest first; from the ledger. */
  memoryHistory(request: { /** of this memory; of all of them if left out */ id?: string | null; /** at most so many */ limit?: number; /** `next` of the page before; leave it out for the first page */ cursor?: string | null; } = {}): Promise<EventPage> {
    return this.call(ROUTES.memory_history, request);
  }

  /** Write what the host program did into the ledger, where it stays for good; texts become digests. */
  eventLog(request: event_log_body): Promise<LedgerEvent> {
    return this.call(ROUTES.event_log, request);
  }

  /** What language models were asked today, of all owners. */
  modelSpent(request: Record<string, never> = {}): Promise<ModelUsage> {
    return this.call(ROUTES.model_spent, request);
  }

  /** All memories as a table: sorted, filtered and counted, page by page. */
  memoryTable(request: memory_table_body = {}): Promise<MemoryTable> {
    return this.call(ROUTES.memory_table, request);
  }

  /** The people and things that memories tell of, the user first, then the most told of. */
  subjectList(request: { /** at most so many, the most told of first */ limit?: number; } = {}): Promise<SubjectList> {
    return this.call(ROUTES.subject_list, request);
  }

  /** What is known about a person or a thing, by attribute and with its history. */
  subjectShow(request: { /** a person or a thing, such as Sora or sister; user: the user */ name: string; /** at most so many */ limit?: number; }): Promise<SubjectDetails> {
    return this.call(ROUTES.subject_show, request);
  }

  /** The memories of the most told of people, or of each project, for a picture. */
  memoryGroups(request: { /** put side by side by the person that they tell of, or by project */ by?: GroupBy; /** at most so many groups, the largest first */ most?: number; } = {}): Promise<MemoryGroups> {
    return this.call(ROUTES.memory_groups, request);
  }

  /** Who and what is tied to whom, around one of them or among the most told of. */
  relationGraph(request: { /** around this person or thing; left out: among the most told of */ name?: string | null; /** how many steps away */ hops?: number; /** at most so many people and things */ limit?: number; } = {}): Promise<RelationGraph> {
    return this.call(ROUTES.relation_graph, request);
  }

  /** The last turns that were decided about: kept, skipped or answered from memory. */
  turnList(request: { /** at most so many */ limit?: number; /** go on behind this turn */ before?: string | null; } = {}): Promise<TurnPage> {
    return this.call(ROUTES.turn_list, request);
  }

  /** Decide about a turn and do it: save what is worth it, give the memories that help with the answer, and forget what the user asks to forget. */
  turnObserve(request: turn_observe_body): Promise<Observation> {
    return this.call(ROUTES.turn_observe, request);
  }

  /** What to do with a turn of the conversation: save it, skip it, or retrieve memories for it; nothing is done. */
  policyDecide(request: policy_decide_body): Promise<TurnDecision> {
    return this.call(ROUTES.policy_decide, request);
  }

  /** What can be seen of a turn, whatever is stored. */
  turnPerceive(request: turn_perceive_body): Promise<TurnSigns> {
    return this.call(ROUTES.turn_perceive, request);
  }

  /** What a turn was worth, as a number or in the user's words; deciding and ranking learn from it. */
  feedback(request: feedback_body = {}): Promise<FeedbackResult> {
    return this.call(ROUTES.feedback, request);
  }

  /** Whether what is found for a question answers it; deciding and ranking learn from it, nothing is counted. */
  answerJudge(request: answer_judge_body): Promise<FeedbackResult> {
    return this.call(ROUTES.answer_judge, request);
  }

  /** How the part that learns stands, and whether it may decide. */
  policyStatus(request: Record<string, never> = {}): Promise<PolicyStatus> {
    return this.call(ROUTES.policy_status, request);
  }

  /** What turns are not kept because the user does not want such things kept. */
  unwantedList(request: Record<string, never> = {}): Promise<UnwantedList> {
    return this.call(ROUTES.unwanted_list, request);
  }

  /** Stop keeping what turns say about something, such as money; a memory says so from now on. */
  unwantedAdd(request: { /** what turns say about somebody, such as money or health */ attribute: Attribute; }): Promise<UnwantedList> {
    return this.call(ROUTES.unwanted_add, request);
  }

  /** Keep again what turns say about something. */
  unwantedRemove(request: { /** what turns say about somebody, such as money or health */ attribute: Attribute; }): Promise<UnwantedList> {
    return this.call(ROUTES.unwanted_remove, request);
  }

  /** The versions of what was learned that are kept, newest first. */
  policyCheckpoints(request: Record<string, never> = {}): Promise<PolicyVersions> {
    return this.call(ROUTES.policy_checkpoints, request);
  }

  /** Back to what a version knew, as a new version. */
  policyRollback(request: policy_rollback_body): Promise<PolicyVersion> {
    return this.call(ROUTES.policy_rollback, request);
  }

  /** What waits for the user's word: core memories, islands, beliefs. */
  inboxList(request: { /** only these; null: all */ status?: ProposalStatus | null; /** at most so many */ limit?: number; } = {}): Promise<ProposalList> {
    return this.call(ROUTES.inbox_list, request);
  }

  /** One proposal: what it would change, why, and on what ground. */
  proposalShow(request: { /** the id of a proposal */ proposal: string; }): Promise<Proposal> {
    return this.call(ROUTES.proposal_show, request);
  }

  /** One proposal with a token to approve it by: good once, for exactly this diff. */
  proposalOpen(request: { /** the id of a proposal */ proposal: string; }): Promise<OpenedProposal> {
    return this.call(ROUTES.proposal_open, request);
  }

  /** Carry out a proposal, on the user's own word and never without it. */
  proposalApprove(request: { /** the id of a proposal */ proposal: string; } & proposal_approve_body): Promise<Proposal> {
    return this.call(ROUTES.proposal_approve, request);
  }

  /** Turn a proposal down, on the user's own word. */
  proposalReject(request: { /** the id of a proposal */ proposal: string; }): Promise<Proposal> {
    return this.call(ROUTES.proposal_reject, request);
  }

  /** Propose a memory that has lasted as a core memory; the user decides. */
  proposeCore(request: propose_core_body): Promise<Proposal> {
    return this.call(ROUTES.propose_core, request);
  }

  /** Propose a new text for a core memory; the user decides. */
  proposeCoreChange(request: propose_core_change_body): Promise<Proposal> {
    return this.call(ROUTES.propose_core_change, request);
  }

  /** Propose to let a core memory go; the user decides. */
  proposeCoreDeletion(request: propose_core_deletion_body): Promise<Proposal> {
    return this.call(ROUTES.propose_core_deletion, request);
  }

  /** Propose a personality island founded by core memories; the user decides. */
  proposeIsland(request: propose_island_body): Promise<Proposal> {
    return this.call(ROUTES.propose_island, request);
  }

  /** Propose a belief about who you are, held up by lasting memories; the user decides. */
  proposeBelief(request: propose_belief_body): Promise<Proposal> {
    return this.call(ROUTES.propose_belief, request);
  }

  /** Propose to go back to an earlier version of the self; the user decides. */
  proposeRollback(request: propose_rollback_body): Promise<Proposal> {
    return this.call(ROUTES.propose_rollback, request);
  }

  /** Memories that could become core memories, which are never forgotten, if the user agrees. */
  coreNominations(request: Record<string, never> = {}): Promise<MemoryPage> {
    return this.call(ROUTES.core_nominations, request);
  }

  /** Make a nominated memory a core memory, on the user's own word and never without it. */
  coreApprove(request: { /** the id of a memory */ id: string; }): Promise<Memory> {
    return this.call(ROUTES.core_approve, request);
  }

  /** The approved self: personality islands and beliefs. */
  selfShow(request: Record<string, never> = {}): Promise<Self> {
    return this.call(ROUTES.self_show, request);
  }

  /** Every version of the self that was approved, newest first, and by whose word. */
  selfVersions(request: { /** at most so many */ limit?: number; } = {}): Promise<SelfVersions> {
    return this.call(ROUTES.self_versions, request);
  }

  /** Who you are, as the user approved it, for your own prompt. */
  selfContext(request: { /** at most so many tokens */ budget?: number; } = {}): Promise<TextDocument> {
    return this.call(ROUTES.self_context, request);
  }

  /** SOUL.md: the approved self as a page. */
  soulShow(request: Record<string, never> = {}): Promise<TextDocument> {
    return this.call(ROUTES.soul_show, request);
  }

  /** Propose every edit in a text of SOUL.md; the user decides on each of them. */
  soulPropose(request: soul_propose_body): Promise<ProposalList> {
    return this.call(ROUTES.soul_propose, request);
  }

  /** When each duty of the night was last done, and when it is due. */
  sleepStatus(request: Record<string, never> = {}): Promise<SleepSchedule> {
    return this.call(ROUTES.sleep_status, request);
  }

  /** Do the night's work that is due: merge repeats, end what was superseded, promote, fade, forget; dry_run only tells what would happen. */
  sleepCycleRun(request: sleep_cycle_run_body = {}): Promise<NightReport> {
    return this.call(ROUTES.sleep_cycle_run, request);
  }

  /** The last nights, newest first, in numbers. */
  sleepReports(request: { /** at most so many */ limit?: number; } = {}): Promise<NightReports> {
    return this.call(ROUTES.sleep_reports, request);
  }

  /** The night's work of every owner in the database. */
  sleepEverybody(request: sleep_everybody_body = {}): Promise<NightReports> {
    return this.call(ROUTES.sleep_everybody, request);
  }

  /** Something that could be done now, from what is remembered; at most three a day, if it is wanted. */
  imagine(request: imagine_body = {}): Promise<ImagineResult> {
    return this.call(ROUTES.imagine, request);
  }

  /** What was imagined and is still remembered, newest first. */
  imaginationList(request: { /** at most so many */ limit?: number; } = {}): Promise<IdeaList> {
    return this.call(ROUTES.imagination_list, request);
  }

  /** Whether an idea was welcome: others like it come more easily, or less. */
  imaginationFeedback(request: { /** the id of an imagination */ id: string; } & imagination_feedback_body): Promise<Idea> {
    return this.call(ROUTES.imagination_feedback, request);
  }

  /** How welcome each kind of idea has been. */
  imaginationPatterns(request: Record<string, never> = {}): Promise<IdeaPatterns> {
    return this.call(ROUTES.imagination_patterns, request);
  }

  /** Let personas (thesis, antithesis, synthesis) answer a question in turn; their answers are remembered. */
  personasRun(request: personas_run_body = {}): Promise<PersonaRunResult> {
    return this.call(ROUTES.personas_run, request);
  }

  /** Earlier runs of personas, newest first. */
  personasRuns(request: { /** at most so many */ limit?: number; } = {}): Promise<PersonaRunList> {
    return this.call(ROUTES.personas_runs, request);
  }

  /** The personas of a registry, and what answers for them. */
  personasShow(request: { /** a ready-made registry (dialectic, code-review, planning-ko); at the machine also a file */ registry?: string | null; } = {}): Promise<PersonaRegistryView> {
    return this.call(ROUTES.personas_show, request);
  }

  /** Whether this memory learns together with others, its peers, privacy spent and gain. */
  gossipStatus(request: Record<string, never> = {}): Promise<GossipStatus> {
    return this.call(ROUTES.gossip_status, request);
  }

  /** Take part in learning together: parameters are exchanged with the peers, never texts. */
  gossipOn(request: Record<string, never> = {}): Promise<GossipStatus> {
    return this.call(ROUTES.gossip_on, request);
  }

  /** Take no part for now: nothing is sent or accepted, and the own policy decides alone. */
  gossipOff(request: Record<string, never> = {}): Promise<GossipStatus> {
    return this.call(ROUTES.gossip_off, request);
  }

  /** Leave: the peers and everything that came from them are deleted. */
  gossipLeave(request: Record<string, never> = {}): Promise<GossipStatus> {
    return this.call(ROUTES.gossip_leave, request);
  }

  /** Add a peer by its address and public key, or change its address. */
  gossipPeerAdd(request: gossip_peer_add_body): Promise<GossipPeer> {
    return this.call(ROUTES.gossip_peer_add, request);
  }

  /** Delete a peer; what it sent is in no later aggregate. */
  gossipPeerRemove(request: { /** the public key of the peer */ key: string; }): Promise<GossipStatus> {
    return this.call(ROUTES.gossip_peer_remove, request);
  }

  /** Everything derived from a memory, a session or an import. */
  sourceTrace(request: source_trace_body): Promise<SourceTrace> {
    return this.call(ROUTES.source_trace, request);
  }

  /** Let a source and everything made of it alone go at once; it can be taken back. */
  sourceRetract(request: source_retract_body): Promise<SourceRetraction> {
    return this.call(ROUTES.source_retract, request);
  }

  /** Take a whole retraction back. */
  sourceRetractUndo(request: { /** the number that the retraction returned */ event: number; }): Promise<MemoryPage> {
    return this.call(ROUTES.source_retract_undo, request);
  }

  /** This device, the owner's other devices, what waits to be sent, and edits that contradict. */
  syncStatus(request: Record<string, never> = {}): Promise<SyncState> {
    return this.call(ROUTES.sync_status, request);
  }

  /** Merge what another device of the owner sends, and return what is new here. */
  syncExchange(request: sync_exchange_body): Promise<SyncExchange> {
    return this.call(ROUTES.sync_exchange, request);
  }

  /** Every memory with every field, page by page, those on the cliff and in archives too. */
  memoryExport(request: { /** at most so many */ limit?: number; /** `next` of the page before; leave it out for the first page */ cursor?: string | null; } = {}): Promise<RecordPage> {
    return this.call(ROUTES.memory_export, request);
  }

  /** Import exported records with their ids, times, protection and lifetimes; requires the user's confirmation. */
  memoryImport(request: memory_import_body): Promise<ImportCounts> {
    return this.call(ROUTES.memory_import, request);
  }

  /** Remember a coordinate document; its id, its time and its coordinates stay. */
  coordinateAdd(request: coordinate_add_body): Promise<Memory> {
    return this.call(ROUTES.coordinate_add, request);
  }

  /** The memories as they were at a moment, to list or to search; nothing is reinforced. */
  memoryAsOf(request: memory_as_of_body): Promise<MemoriesAt> {
    return this.call(ROUTES.memory_as_of, request);
  }

  /** Take one change of a memory back: a store, update, deletion, merge, rating or pin. */
  undo(request: { /** the number of an event, as the history shows it */ event: number; }): Promise<Memory> {
    return this.call(ROUTES.undo, request);
  }

  /** Write what the ledger's daily files lack. */
  ledgerRepair(request: Record<string, never> = {}): Promise<LedgerRepaired> {
    return this.call(ROUTES.ledger_repair, request);
  }

  /** Pack the ledger's daily files of past months. */
  ledgerCompress(request: Record<string, never> = {}): Promise<LedgerCompressed> {
    return this.call(ROUTES.ledger_compress, request);
  }

  /** Check the hash chains of the ledger: nothing edited, removed, inserted or reordered. */
  ledgerVerify(request: ledger_verify_body = {}): Promise<LedgerCheck> {
    return this.call(ROUTES.ledger_verify, request);
  }

  /** The newest entry of this owner's chain and the newest anchor, to be kept elsewhere. */
  ledgerHead(request: Record<string, never> = {}): Promise<LedgerHead> {
    return this.call(ROUTES.ledger_head, request);
  }

  /** Write an anchor over the chains of all owners now; sleep does it every night. */
  ledgerAnchor(request: Record<string, never> = {}): Promise<LedgerAnchor> {
    return this.call(ROUTES.ledger_anchor, request);
  }

  /** A document that shows to somebody else that memories were purged: ledger entries up to an anchor, no text. */
  purgeProof(request: purge_proof_body): Promise<PurgeProof> {
    return this.call(ROUTES.purge_proof, request);
  }

  /** Check such a document; nothing of this database is needed for it. */
  proofCheck(request: proof_check_body): Promise<ProofResult> {
    return this.call(ROUTES.proof_check, request);
  }

  /** A checked copy of the whole database, while it is in use. */
  backupCreate(request: Record<string, never> = {}): Promise<BackupResult> {
    return this.call(ROUTES.backup_create, request);
  }

  /** Archive what is idle and let go of what is too much, by a policy; a dry run unless told. */
  retentionRun(request: retention_run_body = {}): Promise<RetentionResult> {
    return this.call(ROUTES.retention_run, request);
  }

  /** The archived sessions. */
  archiveList(request: Record<string, never> = {}): Promise<ArchiveList> {
    return this.call(ROUTES.archive_list, request);
  }

  /** An archived session, or one memory of it, back into orbit. */
  archiveBringBack(request: archive_bring_back_body): Promise<BringBackResult> {
    return this.call(ROUTES.archive_bring_back, request);
  }

  /** Find secrets that older versions stored, everywhere; a dry run unless told to redact. */
  guardScan(request: guard_scan_body = {}): Promise<SecretScanResult> {
    return this.call(ROUTES.guard_scan, request);
  }

  /** Put every memory where its score says. */
  rebalance(request: rebalance_body = {}): Promise<RebalanceCounts> {
    return this.call(ROUTES.rebalance, request);
  }

  /** Give every memory without a vector one. */
  reindex(request: Record<string, never> = {}): Promise<ReindexCounts> {
    return this.call(ROUTES.reindex, request);
  }

  /** Rebuild the word index. */
  reindexWords(request: Record<string, never> = {}): Promise<ReindexWordsCounts> {
    return this.call(ROUTES.reindex_words, request);
  }

  /** Rebuild what can be derived from the memories; tells what is still wrong. */
  repair(request: Record<string, never> = {}): Promise<CheckResult> {
    return this.call(ROUTES.repair, request);
  }

  /** Look for damage in the stored data. */
  check(request: Record<string, never> = {}): Promise<CheckResult> {
    return this.call(ROUTES.check, request);
  }

  /** Every setting of the engine, what holds and who set it. */
  settingList(request: Record<string, never> = {}): Promise<SettingList> {
    return this.call(ROUTES.setting_list, request);
  }

  /** Write a setting into celestial.toml; paths, addresses and secrets are set at the machine. */
  settingChange(request: { /** its place in celestial.toml */ key: string; } & setting_change_body): Promise<SettingView> {
    return this.call(ROUTES.setting_change, request);
  }

  /** Every memory in orbit with its zone and score now, the most central first, in columns. */
  orbits(request: { /** at most so many, the most central first */ limit?: number; } = {}): Promise<Orbits> {
    return this.call(ROUTES.orbits, request);
  }

  /** Where memories were at moments of the past, as the ledger tells it, for a replay. */
  orbitsPast(request: { /** the first frame; thirty days before the last unless given */ start?: string | null; /** the last frame; now unless given */ end?: string | null; /** so many moments, evenly from start to end */ frames?: number; /** at most so many memories, an even sample of all */ limit?: number; } = {}): Promise<OrbitsPast> {
    return this.call(ROUTES.orbits_past, request);
  }

  /** How a memory's score will fall, and through which zones, if nobody recalls it. */
  memoryOutlook(request: { /** the id of a memory */ id: string; /** how far to look ahead */ days?: number; }): Promise<Outlook> {
    return this.call(ROUTES.memory_outlook, request);
  }

  /** Days in numbers: what came, went and was felt, what moved between lifetimes, what was learned. */
  insight(request: { /** so many days, today the last */ days?: number; /** minutes by which local days are ahead of UTC, 540 in Seoul */ utc_offset?: number; } = {}): Promise<Insight> {
    return this.call(ROUTES.insight, request);
  }

  /** Which kinds of secrets are redacted, blocked or allowed. */
  guardRules(request: Record<string, never> = {}): Promise<GuardRules> {
    return this.call(ROUTES.guard_rules, request);
  }

  /** What this memory works with, and when the night's work is next. */
  serverStatus(request: Record<string, never> = {}): Promise<ServerStatus> {
    return this.call(ROUTES.server_status, request);
  }

  /** The tokens and sessions that were given for this owner's memories, never the secrets. */
  tokenList(request: Record<string, never> = {}): Promise<TokenList> {
    return this.call(ROUTES.token_list, request);
  }

  /** A new token for this owner's memories; its secret is told once. */
  tokenCreate(request: token_create_body): Promise<CreatedToken> {
    return this.call(ROUTES.token_create, request);
  }

  /** End what one of this owner's tokens or sessions allows, at once. */
  tokenRevoke(request: { /** the id of a token, not the token */ id: string; }): Promise<Token> {
    return this.call(ROUTES.token_revoke, request);
  }

  /** Put in some three hundred memories of a made-up life, to look around with. */
  demoAdd(request: demo_add_body = {}): Promise<DemoAdded> {
    return this.call(ROUTES.demo_add, request);
  }

  /** Take the made-up memories out again, wholly, and nothing else. */
  demoRemove(request: Record<string, never> = {}): Promise<DemoRemoved> {
    return this.call(ROUTES.demo_remove, request);
  }
}
