/**
 * The class of an event's field, which decides how it is stored:
 * - `plain`: readable in the log by analysts. Ids, numbers, categories, instants.
 * - `content`: free text that people wrote; sealed under the key of its stream.
 * - `{ personal: path }`: about a person; sealed under the key of the person whose uid is at that path of the data. For someone without an account, the id of
 *   what they sent stands in for the uid (ADR 42).
 */
export type FieldClass = 'plain' | 'content' | { readonly personal: string };

/** The leaves of an event's data as dotted paths; a list counts as a leaf unless its members are objects (`items[].uid`). */
export type FieldClasses = Readonly<Record<string, FieldClass>>;

/** For each event type of a stream the class of each of its fields. */
export type EventClasses<Events> = { readonly [Type in keyof Events]: FieldClasses };

/** From a map of event types to their data, the union that deciders and projectors handle. */
export type EventOf<Events> = { [Type in keyof Events & string]: { readonly type: Type; readonly data: Events[Type] } }[keyof Events & string];
