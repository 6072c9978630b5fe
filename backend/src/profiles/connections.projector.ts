import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import { type Uid, withoutIds } from '@roughmix/contracts/shared/ids.js';
import { type UserEvents, userStream } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { bodiesOf, type DocumentChange, type Found, projector, type Projector, put, type Read, remove, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import {
  ACQUAINTANCES,
  type AcquaintancesDocument,
  CONNECTIONS,
  type ConnectionsDocument,
  ERASED_PEOPLE,
  type ErasedPersonDocument,
} from './connections.documents.js';

type Since = ConnectionsDocument['since'];

const nobody = (uid: Uid): ConnectionsDocument => ({ uid, since: {}, uids: [], byInvitation: [], elsewhere: null, position: 0 });

/** A document with other connections, as of an event. */
function withConnections(document: ConnectionsDocument, since: Since, byInvitation: readonly Uid[], event: StoredEvent): ConnectionsDocument {
  const { stream, position } = event;
  // Erasures are found by their audience.
  const elsewhere = stream === userStream(document.uid) || event.type === 'UserErased' ? document.elsewhere : { stream, position };
  return { uid: document.uid, since, uids: Object.keys(since), byInvitation, elsewhere, position };
}

/** Connects a user with others, creating their document if it is missing. */
const connect = (uid: Uid, others: readonly Uid[], event: StoredEvent): DocumentChange => ({
  collection: CONNECTIONS,
  id: uid,
  change: (old) => {
    const known = (old as ConnectionsDocument | null) ?? nobody(uid);
    const since = { ...known.since, ...Object.fromEntries(others.map((other) => [other, event.meta.at])) };
    const byInvitation = event.type === 'ProjectUsersInvited' ? [...new Set([...known.byInvitation, ...others])] : known.byInvitation;
    return { ...withConnections(known, since, byInvitation, event) };
  },
});

const without = (known: ConnectionsDocument, uid: Uid, event: StoredEvent): ConnectionsDocument => {
  const since = Object.fromEntries(Object.entries(known.since).filter(([other]) => other !== uid));
  return withConnections(known, since, withoutIds(known.byInvitation, [uid]), event);
};

/** Takes someone out of a user's connections. */
const disconnect = (uid: Uid, other: Uid, event: StoredEvent): DocumentChange =>
  update<ConnectionsDocument>(CONNECTIONS, uid, (known) => without(known, other, event));

/** The same on the other side, unless they follow on their own. */
const endInvited = (uid: Uid, other: Uid, event: StoredEvent): DocumentChange =>
  update<ConnectionsDocument>(CONNECTIONS, uid, (known) => (known.byInvitation.includes(other) ? without(known, other, event) : known));

const erasuresOf = (uids: readonly Uid[]): readonly Read[] => uids.map((id) => ({ collection: ERASED_PEOPLE, id }));

/** Those of the users who were not erased before the event. A document that the event itself, or a later one, wrote does not count. */
function remaining(uids: readonly Uid[], { position }: StoredEvent, found: Found): readonly Uid[] {
  const erased = bodiesOf<ErasedPersonDocument>(found).filter((person) => person.position < position);
  return withoutIds(
    uids,
    erased.map(({ uid }) => uid),
  );
}

/** An invitation connects both sides. Only the owner invites, so its actor is one of them. */
const sidesOf = ({ data, meta }: StoredEvent<string, ProjectEvents['ProjectUsersInvited']>): readonly Uid[] => [
  ...(meta.actorUid === null ? [] : [meta.actorUid]),
  ...data.invited.map(({ uid }) => uid),
];

function connected(event: StoredEvent<string, ProjectEvents['ProjectUsersInvited']>, found: Found): readonly DocumentChange[] {
  const { meta } = event;
  const [first, ...others] = remaining(sidesOf(event), event, found);
  if (first === undefined || first !== meta.actorUid || others.length === 0) return [];
  return [connect(first, others, event), ...others.map((uid) => connect(uid, [first], event))];
}

type Events = Pick<UserEvents, 'UserFollowed' | 'UserUnfollowed' | 'UserErased'> & Pick<ProjectEvents, 'ProjectCreated' | 'ProjectUsersInvited'>;

/** Who is connected with whom: from follows, and from invitations when they take effect. The later event wins. Either side ends what an invitation made. */
export const connectionsProjector: Projector = projector<Events>(
  {
    name: 'connections',
    version: 2,
    collections: [
      { name: CONNECTIONS, indexes: [{ field: 'uids' }] },
      { name: ACQUAINTANCES, indexes: [{ field: 'uids' }] },
      { name: ERASED_PEOPLE, indexes: [{ field: 'audience', sort: 'position' }] },
    ],
  },
  {
    UserFollowed: {
      reads: ({ data }) => erasuresOf([data.otherUid]),
      project: (event, found) => {
        const { uid, otherUid } = event.data;
        return remaining([otherUid], event, found).map((other) => connect(uid, [other], event));
      },
    },
    UserUnfollowed: (event) => {
      const { uid, otherUid } = event.data;
      return [disconnect(uid, otherUid, event), endInvited(otherUid, uid, event)];
    },
    ProjectCreated: (event) => [put<AcquaintancesDocument>(ACQUAINTANCES, idInStream(event), { uids: [event.data.ownerUid] })],
    ProjectUsersInvited: {
      reads: (event) => erasuresOf(sidesOf(event)),
      project: (event, found) => [
        update<AcquaintancesDocument>(ACQUAINTANCES, idInStream(event), ({ uids }) => ({
          uids: [...new Set([...uids, ...event.data.invited.map(({ uid }) => uid)])],
        })),
        ...connected(event, found),
      ],
    },
    UserErased: {
      reads: ({ data: { uid } }) => [
        { collection: CONNECTIONS, id: uid },
        { collection: CONNECTIONS, where: { field: 'uids', value: uid } },
        { collection: ACQUAINTANCES, where: { field: 'uids', value: uid } },
      ],
      project(event, [own = [], others = [], projects = []]) {
        const { uid } = event.data;
        const known = [
          ...bodiesOf<ConnectionsDocument>([own]).flatMap(({ uids }) => uids),
          ...others.map(({ id }) => id),
          ...bodiesOf<AcquaintancesDocument>([projects]).flatMap(({ uids }) => uids),
        ];
        const audience = [...new Set(known)].filter((other) => other !== uid).toSorted();
        return [
          put<ErasedPersonDocument>(ERASED_PEOPLE, uid, { uid, audience, position: event.position }),
          remove(CONNECTIONS, uid),
          ...others.map(({ id }) => disconnect(id, uid, event)),
        ];
      },
    },
  },
);
