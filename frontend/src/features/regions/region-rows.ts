/** Something with an extent on the lane, in pixels. */
export interface Extent {
  readonly id: string;
  readonly left: number;
  readonly right: number;
}

export interface Rows {
  /** The row of each, 0 at the top. */
  readonly rowOf: ReadonlyMap<string, number>;
  readonly count: number;
}

/** The lane keeps two rows, so that a second label moves nothing. */
export const LEAST_ROWS = 2;

/** Puts labels that would overlap into rows of their own, each into the highest that is free; the lane grows when two are too few. */
export function rowsOf(extents: readonly Extent[]): Rows {
  const ends: number[] = [];
  const rowOf = new Map<string, number>();
  for (const { id, left, right } of extents.toSorted((a, b) => a.left - b.left || b.right - a.right)) {
    const free = ends.findIndex((end) => end <= left);
    const row = free === -1 ? ends.length : free;
    ends[row] = right;
    rowOf.set(id, row);
  }
  return { rowOf, count: Math.max(LEAST_ROWS, ends.length) };
}
