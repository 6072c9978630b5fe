/** A sealed leaf in the log: which key it needs, and nonce, tag and cipher text in base64url. */
export interface Sealed {
  readonly $sealed: string;
  readonly by: string;
}

/** True of a sealed leaf, a malformed one too: it is never passed on as plain data, and opening it fails. */
export const isSealed = (value: unknown): value is Sealed => typeof value === 'object' && value !== null && '$sealed' in value;
