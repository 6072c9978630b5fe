/** A clock that only moves when told to. */
export function manualClock(): { readonly now: () => number; move(milliseconds: number): void } {
  let instant = 1_700_000_000_000;
  return {
    now: () => instant,
    move(milliseconds) {
      instant += milliseconds;
    },
  };
}
