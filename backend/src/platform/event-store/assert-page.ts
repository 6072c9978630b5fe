/** Rejects invalid pages for every adapter alike (SQLite reads a negative limit as unlimited). @throws RangeError */
export function assertPage(from: number, limit: number): void {
  if (!Number.isSafeInteger(from) || from < 0) throw new RangeError(`a page must start at a non-negative integer: ${from}`);
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`a page limit must be a positive integer: ${limit}`);
}
