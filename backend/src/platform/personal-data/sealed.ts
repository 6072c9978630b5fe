/** A sealed leaf in the log: the name of its key, and nonce, tag and ciphertext in base64url. */
export interface Sealed {
  readonly $sealed: string;
  readonly by: string;
}

/** Also true of a malformed sealed leaf: it never passes as plain data, and opening it fails. */
export const isSealed = (value: unknown): value is Sealed => typeof value === 'object' && value !== null && '$sealed' in value;
