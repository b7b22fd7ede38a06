/** Reasons behind numbers that a server may tell besides; where it does not, they are not shown. */

import type { Outlook, ScoreParts, SearchHit } from "./operations.ts";

/** A hit, and what each part of the search adds to its relevance. */
export type Reasoned = Omit<SearchHit, "parts"> & { readonly parts?: Readonly<Record<string, number>> | null };

/** An outlook, and how much each part of the score counts. */
export type Weighed = Omit<Outlook, "weights"> & { readonly weights?: Omit<ScoreParts, "score"> };
