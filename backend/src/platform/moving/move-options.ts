/** Options of every step of a move. */
export interface MoveOptions {
  readonly signal: AbortSignal;
  /** Receives progress lines. */
  readonly report: (line: string) => void;
}

/** The move is not possible. The source was not changed. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}
