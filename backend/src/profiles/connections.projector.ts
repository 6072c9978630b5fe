import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import { type Uid, withoutIds } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
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

/** Changes a user's connections, creating their document if it is missing. */
const changeConnections = (uid: Uid, { position }: StoredEvent, change: (since: Since) => Since, invited?: ConnectionsDocument['invited']): DocumentChange => ({
  collection: CONNECTIONS,
  id: uid,
  change: (old) => {
    const known = old as ConnectionsDocument | null;
    const since = change(known?.since ?? {});
    const document: ConnectionsDocument = { uid, since, uids: Object.keys(since), invited: invited ?? known?.invited ?? null, position };
    return { ...document };
  },
});

const without = (since: Since, uid: Uid): Since => Object.fromEntries(Object.entries(since).filter(([other]) => other !== uid));

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
  const { meta, position } = event;
  const [first, ...others] = remaining(sidesOf(event), event, found);
  if (first === undefined || first !== meta.actorUid || others.length === 0) return [];
  const invited = { projectId: idInStream(event), position };
  const now = (uids: readonly Uid[]): Since => Object.fromEntries(uids.map((uid) => [uid, meta.at]));
  return [
    changeConnections(first, event, (since) => ({ ...since, ...now(others) }), invited),
    ...others.map((uid) => changeConnections(uid, event, (since) => ({ ...since, ...now([first]) }), invited)),
  ];
}

type Events = Pick<UserEvents, 'UserFollowed' | 'UserUnfollowed' | 'UserErased'> & Pick<ProjectEvents, 'ProjectCreated' | 'ProjectUsersInvited'>;

/** Who is connected with whom: from follows, and from invitations when they take effect. The later event wins. */
export const connectionsProjector: Projector = projector<Events>(
  {
    name: 'connections',
    version: 1,
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
        return remaining([otherUid], event, found).map((other) => changeConnections(uid, event, (since) => ({ ...since, [other]: event.meta.at })));
      },
    },
    UserUnfollowed: (event) => [changeConnections(event.data.uid, event, (since) => without(since, event.data.otherUid))],
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
          ...others.map(({ id }) => changeConnections(id, event, (since) => without(since, uid))),
        ];
      },
    },
  },
);
