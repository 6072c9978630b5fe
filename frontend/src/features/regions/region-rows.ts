/** A label's extent on the lane, in pixels. */
export interface Extent {
  readonly id: string;
  readonly left: number;
  readonly right: number;
}

export interface Rows {
  /** The row of each label, 0 at the top. */
  readonly rowOf: ReadonlyMap<string, number>;
  readonly count: number;
}

/** The lane always has two rows, so that a second label does not shift the layout. */
export const MIN_ROWS = 2;

/** Assigns each label to the topmost row where it overlaps no other. */
export function rowsOf(extents: readonly Extent[]): Rows {
  const ends: number[] = [];
  const rowOf = new Map<string, number>();
  for (const { id, left, right } of extents.toSorted((a, b) => a.left - b.left || b.right - a.right)) {
    const free = ends.findIndex((end) => end <= left);
    const row = free === -1 ? ends.length : free;
    ends[row] = right;
    rowOf.set(id, row);
  }
  return { rowOf, count: Math.max(MIN_ROWS, ends.length) };
}
