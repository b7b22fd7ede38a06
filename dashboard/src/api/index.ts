export { Api, type Calling, type Session } from "./client.ts";
export { ApiError, explained, isAbort } from "./error.ts";
export type {
  ArchivedSession, Belief, DutyResult, DutyTime, EventPage, Idea, IdeaPattern, Insight, Island, LedgerEvent, Memory,
  MemoryFilter, MemoryPage, MemoryStats, NightReport, NightReports, Operations, Orbits, OrbitsPast, Outlook,
  PolicyVersion, Proposal, ProposalList, RelatedMemory, ScoreExplanation, SearchHit, SearchHits, Self, ServerStatus,
  SleepSchedule, ZoneDrift,
} from "./operations.ts";
