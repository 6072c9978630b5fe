import type { DomainEvent, StoredEvent } from './event.js';

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

/** How one event type changes documents. */
export type Projection<Type extends string, Data> = (event: StoredEvent<Type, Data>) => readonly DocumentChange[];

/**
 * Folds events into documents. Pure; every event may come twice. `version` rises when the documents' shape does: a higher one is rebuilt
 * beside the old and then takes its place. Events without an entry are not its business.
 */
export interface Projector {
  readonly name: string;
  readonly version: number;
  readonly collections: readonly ProjectedCollection[];
  /** The event types that it answers to. */
  readonly handles: ReadonlySet<string>;
  project(event: StoredEvent): readonly DocumentChange[];
}

/** For some types of an event map their projections. */
export type Projections<Events> = { readonly [Type in keyof Events]?: Projection<Type & string, Events[Type]> };

/** Makes a projector of a table of projections. */
export function projector<Events>(
  facts: { readonly name: string; readonly version: number; readonly collections: readonly ProjectedCollection[] },
  projections: Projections<Events>,
): Projector {
  const table = new Map<string, (event: StoredEvent) => readonly DocumentChange[]>(
    Object.entries(projections) as [string, (event: StoredEvent) => readonly DocumentChange[]][],
  );
  return { ...facts, handles: new Set(table.keys()), project: (event: DomainEvent & StoredEvent) => table.get(event.type)?.(event) ?? [] };
}

/** Stores a document, whatever was there. */
export const put = <Doc extends object>(collection: string, id: string, body: Doc): DocumentChange => ({
  collection,
  id,
  change: () => body as Body,
  isWhole: true,
});
/** Changes a document that is there; does nothing without one. */
export const update = <Doc extends object>(collection: string, id: string, change: (old: Doc) => Doc): DocumentChange => ({
  collection,
  id,
  change: (old) => (old === null ? null : (change(old as Doc) as Body)),
});
/** Removes a document. */
export const remove = (collection: string, id: string): DocumentChange => ({ collection, id, change: () => null });
