/** A kind of vault record that holds keys wrapped by the master key, in a field `wrapped`. */
export interface WrappedKeys {
  /** The vault's collection. */
  readonly name: string;
  /** What the wrapped key of a record is bound to. */
  readonly subjectOf: (id: string) => string;
}
