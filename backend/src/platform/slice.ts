import type { Type } from '@nestjs/common';
import type { FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import type { Projector } from '../kernel/projector.js';
import type { Reactor } from '../kernel/reactor.js';
import type { Upcaster } from '../kernel/upcast.js';
import type { MessageSource } from './live/message-sources.js';
import type { PushSource } from './live/live-message.js';
import type { TopicSource } from './live/topics.js';
import type { UserStreams } from './live/user-topic.js';
import type { BackgroundLoop } from './reactors/background-loop.js';
import type { Chore } from './reactors/chores.js';
import type { TimerHandler } from './timers/timer.js';
import { RECORD_KINDS, type RecordKinds } from './vault/record-kinds.js';

/**
 * Everything that a slice adds to the program. `<plural>.slice.ts` exports it and `backend/src/slices.ts` lists it; every other list is derived.
 * What is loaded here is pure and small: commands that only read the log load all manifests.
 */
export interface Slice {
  /** The slice's folder. */
  readonly name: string;
  /** The streams that hold its events, as docs/events.md names them (`project-<id>`). Several slices may write on one kind of stream. */
  readonly stream?: string;
  /** Each of its event types with the class of each field. A type belongs to one slice. */
  readonly eventClasses?: Readonly<Record<string, FieldClasses>>;
  /** From its old event shapes to the current ones. */
  readonly upcasters?: readonly Upcaster[];
  readonly projectors?: readonly Projector[];
  /** The kinds of vault record that it owns, with their treatment when a backup is restored or moved. */
  readonly recordKinds?: RecordKinds;
  /** Loads its `<plural>.module.ts`. Only a program that serves or reacts does: controllers and handlers take most of a second to load. */
  readonly load?: () => Promise<{ readonly parts: SliceParts }>;
}

/** The Nest side of a slice; its `<plural>.module.ts` exports it as `parts`. */
export interface SliceParts {
  readonly module: Type;
  /** Providers that other slices may inject: its queries and streams. */
  readonly doors?: readonly Type[];
  /** Its sources of pushes to browsers; exported by the module. */
  readonly pushes?: readonly Type<PushSource>[];
  /** Its kinds of live topic; exported by the module. */
  readonly topics?: readonly Type<TopicSource>[];
  /** Which of its streams have pushes for a person's own room; exported by the module. */
  readonly userStreams?: readonly Type<UserStreams>[];
  /** Its answers to messages of browsers that join no room; exported by the module. */
  readonly messages?: readonly Type<MessageSource>[];
  readonly reactors?: readonly Type<Reactor>[];
  /** Loops that work through stored records beside the reactors. */
  readonly loops?: readonly Type<BackgroundLoop>[];
  /** The handlers of its durable timers. */
  readonly timers?: readonly Type<TimerHandler>[];
  readonly chores?: readonly Type<ChoreSource>[];
}

/** A provider of its slice's periodic work, which runs in the process that reacts. */
export interface ChoreSource {
  chores(): readonly Chore[];
}

/** A slice whose Nest parts are loaded. */
export interface LoadedSlice extends SliceParts {
  readonly name: string;
}

/** All slices together, as the platform needs them. */
export interface Slices {
  readonly manifests: readonly Slice[];
  readonly projectors: readonly Projector[];
  readonly fieldClasses: ReadonlyMap<string, FieldClasses>;
  readonly upcasters: readonly Upcaster[];
  /** Of the platform and of all slices. */
  readonly recordKinds: RecordKinds;
}

/** Two slices claim the same name; the program does not start. */
export class SliceConflict extends Error {
  override readonly name = 'SliceConflict';
}

/** A name that must be unique, and the slice that declares it. */
export type Claim = readonly [name: string, owner: string];

/** @param what is claimed, for the error: 'event', 'projector' @throws SliceConflict naming both owners */
export function refuseDuplicates(what: string, claims: readonly Claim[]): void {
  const owners = new Map<string, string>();
  for (const [name, owner] of claims) {
    const other = owners.get(name);
    if (other !== undefined) throw new SliceConflict(`the ${what} ${name} is declared twice: by ${other} and by ${owner}`);
    owners.set(name, owner);
  }
}

const claims = (slices: readonly Slice[], namesIn: (slice: Slice) => readonly string[]): readonly Claim[] =>
  slices.flatMap((slice) => namesIn(slice).map((name): Claim => [name, slice.name]));

/** Combines the manifests. @throws SliceConflict if two of them declare the same name */
export function composeSlices(manifests: readonly Slice[]): Slices {
  const projectorsOf = ({ projectors = [] }: Slice): readonly Projector[] => projectors;
  refuseDuplicates(
    'slice',
    claims(manifests, ({ name }) => [name]),
  );
  refuseDuplicates(
    'event',
    claims(manifests, ({ eventClasses = {}, upcasters = [] }) => [...Object.keys(eventClasses), ...upcasters.map(({ from }) => from)]),
  );
  refuseDuplicates(
    'projector',
    claims(manifests, (slice) => projectorsOf(slice).map(({ name }) => name)),
  );
  refuseDuplicates(
    'collection',
    claims(manifests, (slice) => projectorsOf(slice).flatMap(({ collections }) => collections.map(({ name }) => name))),
  );
  const platformKinds = Object.keys(RECORD_KINDS).map((kind): Claim => [kind, 'the platform']);
  refuseDuplicates('record kind', [...platformKinds, ...claims(manifests, ({ recordKinds = {} }) => Object.keys(recordKinds))]);
  return {
    manifests,
    projectors: manifests.flatMap(projectorsOf),
    fieldClasses: new Map(
      manifests.flatMap(({ eventClasses = {}, upcasters = [] }) => [
        ...Object.entries(eventClasses),
        ...upcasters.map(({ from, classes }): [string, FieldClasses] => [from, classes]),
      ]),
    ),
    upcasters: manifests.flatMap(({ upcasters = [] }) => upcasters),
    recordKinds: Object.assign({}, RECORD_KINDS, ...manifests.map(({ recordKinds = {} }) => recordKinds)) as RecordKinds,
  };
}

/** Loads the Nest parts of the slices one after the other, because they share most of their imports. */
export async function loadParts({ manifests }: Slices): Promise<readonly LoadedSlice[]> {
  const loaded: LoadedSlice[] = [];
  for (const { name, load } of manifests) if (load !== undefined) loaded.push({ name, ...(await load()).parts });
  return loaded;
}
