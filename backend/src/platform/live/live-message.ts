import type { Push, PushChannel } from '@roughmix/contracts/live.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import { idInStream } from '../../kernel/stream-name.js';

/** Where messages of a project go. */
export const userRoom = (uid: Uid): string => `user:${uid}`;
export const memberRoom = (projectId: Id): string => `project:${projectId}`;
export const visitorRoom = (projectId: Id): string => `public:${projectId}`;

/** How somebody stands to a project whose room they are in. */
export type RoomKind = 'members' | 'visitors';
export const roomOf = (projectId: Id, as: RoomKind): string => (as === 'members' ? memberRoom(projectId) : visitorRoom(projectId));
/** Whose room this is, null for those of projects. */
export const personOf = (room: string): Uid | null => (room.startsWith(userRoom('')) ? room.slice(userRoom('').length) : null);

/** What every message of an event says of it. */
export type PushFacts = Pick<Push, 'projectId' | 'actorUid' | 'commandId' | 'position'>;

export const factsOf = (event: StoredEvent): PushFacts => ({
  projectId: idInStream(event),
  actorUid: event.meta.actorUid,
  commandId: event.meta.commandId,
  position: event.position,
});

/** The same message to the members and to the visitors of its project. */
export const toEverybody = (channel: PushChannel, push: Push): readonly Emission[] =>
  [memberRoom(push.projectId), visitorRoom(push.projectId)].map((room) => ({ kind: 'emit', room, channel, push }));

/** Something to say to everybody in a room. */
export interface Emission {
  readonly kind: 'emit';
  readonly room: string;
  readonly channel: PushChannel;
  readonly push: Push;
}

/** People who may no longer be in a room leave it, at once and before anything that follows. */
export interface Eviction {
  readonly kind: 'evict';
  readonly room: string;
  readonly uids: readonly Uid[] | 'everybody';
}

/** Visitors who became members hear what members hear from now on. */
export interface Promotion {
  readonly kind: 'promote';
  readonly from: string;
  readonly to: string;
  readonly uids: readonly Uid[];
}

export type LiveStep = Emission | Eviction | Promotion;

/** What a slice has to tell browsers of an event, in order. Views are read as they are at that moment, after the projections saved it. */
export interface PushSource {
  steps(event: StoredEvent): Promise<readonly LiveStep[]>;
}

/** Which room of a project people may be in. */
export interface RoomAccess {
  /** Answers for everybody as of now; null where the project does not exist for them. */
  roomsOf(projectId: Id): Promise<(uid: Uid) => RoomKind | null>;
  /** The events of this stream are the ones to catch up with. */
  streamOf(projectId: Id): string;
}

export const PUSH_SOURCES = Symbol('PushSources');
export const ROOM_ACCESS = Symbol('RoomAccess');
export const PEOPLE_HERE = Symbol('PeopleHere');
