import type { LeaseState } from '@roughmix/contracts/admin/admin.view.js';

const text = (cell: string | number | undefined): string => (typeof cell === 'number' ? cell.toLocaleString('en') : (cell ?? ''));

/** Rows under a head, as lines of aligned columns; numbers stand to the right. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => text(row[at]).length)));
  const line = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, at) => (typeof cell === 'number' ? text(cell).padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)];
}

/** Who does a work that one process at a time does, as a line. */
export const heldByLine = (work: string, heldBy: LeaseState | null): string =>
  heldBy === null ? `${work} nowhere` : `${work} by ${heldBy.holder} since ${new Date(heldBy.since).toISOString()} (term ${heldBy.fence})`;
