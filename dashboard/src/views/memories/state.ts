/** The state of the table: all of it stands in the address, so that a link shows the same. */

import type { Operations } from "../../api/index.ts";

export const SORTS = ["created", "recalled", "importance", "score", "recalls", "leaving", "text"] as const;
export type Sort = (typeof SORTS)[number];

/** Filters by the name that both the address and the server know them by. */
export const FIELDS = [
  "about",
  "attribute",
  "tier",
  "lifetime",
  "zone",
  "emotion",
  "session_id",
  "source",
  "state",
  "protection",
  "tag",
  "project",
  "text",
  "current",
] as const;
export type FieldName = (typeof FIELDS)[number];

export const COLUMNS = [
  "attribute",
  "zone",
  "tier",
  "emotion",
  "importance",
  "recalls",
  "created",
  "recalled",
  "leaving",
  "source",
  "session_id",
  "tag",
] as const;
export type ColumnName = (typeof COLUMNS)[number];
export const USUAL_COLUMNS: readonly ColumnName[] = ["attribute", "tier", "importance", "recalls", "created"];

export const PAGE = 50;

export interface TableState {
  readonly sort: Sort;
  readonly descending: boolean;
  readonly page: number;
  readonly filters: Readonly<Partial<Record<FieldName, string>>>;
  readonly columns: readonly ColumnName[];
  /** The memory in the side panel. */
  readonly open: string | null;
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string | null): name is Name => (names as readonly (string | null)[]).includes(name);

/** Whatever an address says; what it gets wrong is left out. */
export function stateOf(query: URLSearchParams, usual: readonly ColumnName[] = USUAL_COLUMNS): TableState {
  const sort = query.get("sort");
  const page = Number(query.get("page") ?? 1);
  const filters: Partial<Record<FieldName, string>> = {};
  for (const name of FIELDS) {
    const value = query.get(name)?.trim();
    if (value) filters[name] = value;
  }
  const columns = query
    .get("columns")
    ?.split(",")
    .filter((name): name is ColumnName => isOneOf(COLUMNS, name));
  return {
    sort: isOneOf(SORTS, sort) ? sort : "created",
    descending: query.get("dir") !== "asc",
    page: Number.isInteger(page) && page > 0 ? page : 1,
    filters,
    columns: columns ?? usual,
    open: query.get("open"),
  };
}

export function addressOf(state: TableState, usual: readonly ColumnName[] = USUAL_COLUMNS): string {
  const query = new URLSearchParams();
  if (state.sort !== "created") query.set("sort", state.sort);
  if (!state.descending) query.set("dir", "asc");
  if (state.page > 1) query.set("page", String(state.page));
  for (const name of FIELDS) if (state.filters[name]) query.set(name, state.filters[name]);
  if (state.columns.join() !== usual.join()) query.set("columns", state.columns.join(","));
  if (state.open) query.set("open", state.open);
  return query.size ? `memories?${query}` : "memories";
}

type Ask = Operations["memory_table"]["ask"];

/** The request for the rows of this state. A value that the server does not know is its to refuse. */
export function askOf(state: TableState, limit = PAGE, first = (state.page - 1) * PAGE): Ask {
  const { state: memoryState, current, ...rest } = state.filters;
  return {
    ...(rest as Partial<Ask>),
    sort: state.sort,
    descending: state.descending,
    first,
    limit,
    ...(memoryState ? { states: memoryState === "any" ? ["active", "faded", "inactive", "archived", "cliff"] : [memoryState as "active"] } : {}),
    ...(current ? { current: current === "true" } : {}),
  };
}

/** Another filter goes to the first page, and closes what was open. */
export const withFilter = (state: TableState, name: FieldName, value: string | null): TableState => {
  const { [name]: _, ...others } = state.filters;
  return { ...state, page: 1, open: null, filters: value ? { ...others, [name]: value } : others };
};

/** Pressing a column again turns it round; texts and what leaves begin with the first. */
export const sortedBy = (state: TableState, sort: Sort): TableState =>
  state.sort === sort ? { ...state, page: 1, descending: !state.descending } : { ...state, page: 1, sort, descending: sort !== "text" && sort !== "leaving" };

export const withColumn = (state: TableState, name: ColumnName, on: boolean): TableState => ({
  ...state,
  columns: COLUMNS.filter((each) => (each === name ? on : state.columns.includes(each))),
});

export interface Suggestion {
  readonly field: FieldName;
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** What a few letters may mean, the most frequent first; without letters a few of each field. */
export function suggestions(all: readonly Suggestion[], typed: string, most: number): Suggestion[] {
  const words = typed.normalize("NFKC").toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length) {
    return all
      .filter(({ label }) => words.every((word) => label.toLocaleLowerCase().includes(word)))
      .sort((one, other) => other.count - one.count)
      .slice(0, most);
  }
  const taken = new Map<FieldName, number>();
  return all
    .filter(({ field }) => {
      const before = taken.get(field) ?? 0;
      taken.set(field, before + 1);
      return before < 3;
    })
    .slice(0, most);
}

/** What Enter would take stands first: a value of just that name (an attribute before a thing that is called so), else the words as they were typed. */
export function offered(all: readonly Suggestion[], typed: string, contains: string, most: number): Suggestion[] {
  const found = suggestions(all, typed, most);
  if (!typed) return found;
  const name = `: ${typed.normalize("NFKC").toLocaleLowerCase()}`;
  const isNamed = ({ label }: Suggestion): boolean => label.toLocaleLowerCase().endsWith(name);
  const named = found.filter(isNamed).sort((one, other) => Number(other.field === "attribute") - Number(one.field === "attribute"));
  return [...named, { field: "text", value: typed, count: 0, label: contains }, ...found.filter((one) => !isNamed(one))];
}
