/** What no store could answer is refused before it is asked (SQLite takes a negative limit for none). @throws RangeError */
export function assertPage(from: number, limit: number): void {
  if (!Number.isSafeInteger(from) || from < 0) throw new RangeError(`a page starts at a whole number from 0 on: ${from}`);
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`a page holds at least one event: ${limit}`);
}
