/** Filters and their values as a reader knows them. */

import { attributeWord, sourceWord } from "../../ui/attribute-words.ts";
import { said } from "../../i18n.ts";
import { word, YOU } from "../../ui/index.ts";
import type { FieldName, Suggestion } from "./state.ts";
import { t } from "./texts.ts";

export const fieldWord = (field: FieldName): string => t()[`field_${field}`];

export function valueWord(field: FieldName, value: string): string {
  switch (field) {
    case "tier":
    case "lifetime":
    case "zone":
    case "emotion":
    case "protection":
      return word(field, value);
    case "state":
      return value === "any" ? t().anyState : word("state", value);
    case "about":
      return value === "user" ? said(YOU) : value;
    case "attribute":
      return attributeWord(value);
    case "source":
      return sourceWord(value);
    case "current":
      return value === "true" ? t().holds : t().wasReplaced;
    default:
      return value;
  }
}

/** Everything that may be filtered by, from what the server counted. */
export function allSuggestions(
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>,
  chosen: Readonly<Partial<Record<FieldName, string>>>,
): Suggestion[] {
  const order: readonly FieldName[] = ["about", "attribute", "tier", "lifetime", "emotion", "zone", "session_id", "source", "tag", "project", "protection"];
  const counted = order
    .filter((field) => !chosen[field])
    .flatMap((field) =>
      Object.entries(counts[field] ?? {}).map(([value, count]) => ({ field, value, count, label: `${fieldWord(field)}: ${valueWord(field, value)}` })),
    );
  const fixed = (field: FieldName, values: readonly string[]): Suggestion[] =>
    chosen[field] ? [] : values.map((value) => ({ field, value, count: 0, label: `${fieldWord(field)}: ${valueWord(field, value)}` }));
  return [...counted, ...fixed("state", ["cliff", "faded", "inactive", "archived", "any"]), ...fixed("current", ["true", "false"])];
}
