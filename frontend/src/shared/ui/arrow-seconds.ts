/** Seconds that an arrow key moves a time, without and with Shift. */
const STEP = 0.1;
const BIG_STEP = 1;

const DIRECTIONS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/** How far a key moves a time, in seconds; null for keys that are not arrows. */
export function arrowSeconds({ key, shiftKey }: { readonly key: string; readonly shiftKey: boolean }): number | null {
  const direction = DIRECTIONS[key];
  return direction === undefined ? null : direction * (shiftKey ? BIG_STEP : STEP);
}
