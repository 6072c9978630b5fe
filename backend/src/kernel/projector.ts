import type { StoredEvent } from './event.js';

/** A read model's document, as a projector writes it. */
export type Body = Readonly<Record<string, unknown>>;

/** One change that an event makes: which document, and the function that turns the old body (null when there is none) into the new (null removes it). */
export interface DocumentChange {
  readonly collection: string;
  readonly id: string;
  readonly change: (old: Body | null) => Body | null;
  /** True when the new body does not depend on the old one. */
  readonly isWhole?: boolean;
}

/** A collection that a projector fills. Each index: a field to match (a list is found by each member) and optionally one to sort by. */
export interface ProjectedCollection {
  readonly name: string;
  readonly indexes: readonly { readonly field: string; readonly sort?: string }[];
}

/**
 * Documents of the projector's own that an event is projected with: one by its id, or all that an index finds (a field of a declared index and its value; a
 * list is found by each member).
 */
export type Read =
  | { readonly collection: string; readonly id: string }
  | { readonly collection: string; readonly where: { readonly field: string; readonly value: string | number | boolean } };

/** A document that a projection read. */
export interface FoundDocument {
  readonly id: string;
  readonly body: Body;
}

/** What each read found, in the order of the reads; documents of one read in the order of their ids. A document that is not there is left out. */
export type Found = readonly (readonly FoundDocument[])[];

/** How one event type changes documents. */
export type Projection<Type extends string, Data> = (event: StoredEvent<Type, Data>) => readonly DocumentChange[];

/**
 * How an event type changes documents that the event does not name: first the reads, which follow from the event alone, then the changes, which follow from
 * the event and what was found.
 *
 * The reads see the documents as of just before the event, whatever the batch size, in a rebuild and after a crash: a batch with reads that cannot be saved
 * at once is written down first and completed before anything is projected again. Authors follow two rules. Ids of new documents are derived from the
 * event and what was found (`${event.id}-${uid}`), never random. And a document that this event, or a later one, has changed already is not found (that
 * happens when a checkpoint was set back by hand): `project` then returns fewer changes, and must not put something under another id instead.
 */
export interface ReadingProjection<Type extends string, Data> {
  readonly reads: (event: StoredEvent<Type, Data>) => readonly Read[];
  readonly project: (event: StoredEvent<Type, Data>, found: Found) => readonly DocumentChange[];
}

/**
 * Folds events into documents. Pure; every event may come twice. `version` rises when the documents' shape does: a higher one is rebuilt
 * beside the old and then takes its place. Events without an entry are ignored.
 */
export interface Projector {
  readonly name: string;
  readonly version: number;
  readonly collections: readonly ProjectedCollection[];
  /** The event types that it handles. */
  readonly handles: ReadonlySet<string>;
  /** The handled types whose projections read documents. */
  readonly readingTypes: ReadonlySet<string>;
  /** The documents that an event of a reading type needs. */
  reads(event: StoredEvent): readonly Read[];
  /** @param found what the event's reads found */
  project(event: StoredEvent, found?: Found): readonly DocumentChange[];
}

/** Projections of some of the types in an event map. */
export type Projections<Events> = {
  readonly [Type in keyof Events]?: Projection<Type & string, Events[Type]> | ReadingProjection<Type & string, Events[Type]>;
};

/** Creates a projector from a table of projections. */
export function projector<Events>(
  facts: { readonly name: string; readonly version: number; readonly collections: readonly ProjectedCollection[] },
  projections: Projections<Events>,
): Projector {
  type Entry = Projection<string, unknown> | ReadingProjection<string, unknown>;
  const entries = Object.entries(projections) as [string, Entry][];
  const plain = new Map(entries.flatMap(([type, entry]) => (typeof entry === 'function' ? [[type, entry]] : [])));
  const reading = new Map(entries.flatMap(([type, entry]) => (typeof entry === 'function' ? [] : [[type, entry]])));
  return {
    ...facts,
    handles: new Set(entries.map(([type]) => type)),
    readingTypes: new Set(reading.keys()),
    reads: (event) => reading.get(event.type)?.reads(event) ?? [],
    project: (event, found = []) => plain.get(event.type)?.(event) ?? reading.get(event.type)?.project(event, found) ?? [],
  };
}

/** A projection that removes every document of a collection whose indexed field has the value that an event names. */
export const removeWhere = <Data>(
  collection: string,
  field: string,
  valueOf: (event: StoredEvent<string, Data>) => string,
): ReadingProjection<string, Data> => ({
  reads: (event) => [{ collection, where: { field, value: valueOf(event) } }],
  project: (_event, found) => found.flat().map(({ id }) => remove(collection, id)),
});

/** The bodies of all found documents, of the type with which the projector stored them. */
export const bodiesOf = <Doc extends object>(found: Found): readonly Doc[] => found.flat().map(({ body }) => body as Doc);

/** Stores a document, replacing any old one. */
export const put = <Doc extends object>(collection: string, id: string, body: Doc): DocumentChange => ({
  collection,
  id,
  change: () => body as Body,
  isWhole: true,
});
/** Changes a document if it exists. */
export const update = <Doc extends object>(collection: string, id: string, change: (old: Doc) => Doc): DocumentChange => ({
  collection,
  id,
  change: (old) => (old === null ? null : (change(old as Doc) as Body)),
});
/** Removes a document. */
export const remove = (collection: string, id: string): DocumentChange => ({ collection, id, change: () => null });
