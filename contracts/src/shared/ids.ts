/** A person's id: 21 to 36 characters of [A-Za-z0-9_], without a dash. */
export type Uid = string;
/** The id of anything else, in the same form as a {@link Uid}. */
export type Id = string;
/** A UTC instant in milliseconds since 1970. */
export type Instant = number;
/** A position in the log's global order: a whole number below 2^53, 0 before the first event. */
export type Position = number;

/** The ids that are not among the others, in order. */
export const withoutIds = (ids: readonly Id[], others: readonly Id[]): readonly Id[] => ids.filter((id) => !others.includes(id));

/** Each of these ids once, in the order in which they first occur. */
export const distinctIds = (ids: readonly Id[]): readonly Id[] => [...new Set(ids)];

/** The form of every id that Roughmix gives: 21 to 36 letters, digits and underscores. */
export const ID_FORM = /^[A-Za-z0-9_]{21,36}$/;
/** The form of an `Idempotency-Key`. */
export const COMMAND_ID_FORM = /^[A-Za-z0-9_-]{1,128}$/;
