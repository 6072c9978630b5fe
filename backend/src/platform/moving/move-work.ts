/** What every part of a move is given: when to end, and who hears what is done. */
export interface MoveWork {
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** What was asked for cannot be moved there; what is here was not changed. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}
