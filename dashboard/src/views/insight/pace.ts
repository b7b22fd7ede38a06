/** How large a database will be, if it goes on as it did. */

const DAYS_OF_A_YEAR = 365;

/** Bytes in a year; null where there is too little to tell from. */
export function yearAhead(now: { readonly bytes: number; readonly memories: number; readonly gained: number; readonly days: number }): number | null {
  if (now.memories <= 0 || now.days <= 0 || now.gained <= 0) return null;
  const each = now.bytes / now.memories;
  return now.bytes + each * now.gained * (DAYS_OF_A_YEAR / now.days);
}
