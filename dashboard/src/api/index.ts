export { Api, type Calling, type Session } from "./client.ts";
export { ApiError, explained, isAbort } from "./error.ts";
export type {
  Archive, Belief, Drift, DutyDone, DutyTime, Explanation, Filter, Found, Happening, Happenings, Hits, Idea, Insight,
  InsightStatus, Island, Memories, Memory, Night, Nights, Operations, Orbits, OrbitsThen, Outlook, Pattern, Proposal,
  Proposals, Schedule, Self, Stats, Tied, Version,
} from "./operations.ts";
