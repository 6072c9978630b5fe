import type { LeaseState } from '@roughmix/contracts/admin/admin.view.js';

const text = (cell: string | number | undefined): string => (typeof cell === 'number' ? cell.toLocaleString('en') : (cell ?? ''));

/** Rows below a header, as lines of aligned columns; numbers are right-aligned. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => text(row[at]).length)));
  const line = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, at) => (typeof cell === 'number' ? text(cell).padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)];
}

/** Names the process that holds a lease: 'reactors run by host:123 since … (fence 5)', or `none` without a holder. */
export const heldByLine = (heldBy: LeaseState | null, { held, none }: { readonly held: string; readonly none: string }): string =>
  heldBy === null ? none : `${held} by ${heldBy.holder} since ${new Date(heldBy.since).toISOString()} (fence ${heldBy.fence})`;
