import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import { type DocumentChange, projector, type Projector, put, type ReadingProjection, remove, update } from '../../kernel/projector.js';
import { idInStream } from '../../kernel/stream-name.js';
import type { RehearsalEvents } from './rehearsal.events.js';
import type { RehearsalNoticeView } from './rehearsal.view.js';
import {
  REHEARSAL_MEMBERS,
  REHEARSAL_NOTICES,
  type RehearsalDocument,
  type RehearsalMember,
  type RehearsalNotice,
  REHEARSALS,
} from './rehearsals.documents.js';

const memberId = (rehearsalId: Id, uid: Uid): string => `${rehearsalId}/${uid}`;

const changed = (event: StoredEvent, change: Partial<RehearsalDocument> = {}): DocumentChange =>
  update<RehearsalDocument>(REHEARSALS, idInStream(event), (rehearsal) => ({ ...rehearsal, ...change, position: event.position }));

const joined = (event: StoredEvent, uid: Uid): DocumentChange => {
  const rehearsalId = idInStream(event);
  return put<RehearsalMember>(REHEARSAL_MEMBERS, memberId(rehearsalId, uid), { rehearsalId, uid });
};

/** Changes the rehearsal, and notifies every member but the one who did it. The event does not name them: they are looked up. */
const toldToMembers = <Data>(change: (data: Data) => Pick<RehearsalDocument, 'startsAt'> & Partial<RehearsalDocument>): ReadingProjection<string, Data> => ({
  reads: (event) => [{ collection: REHEARSAL_MEMBERS, where: { field: 'rehearsalId', value: idInStream(event) } }],
  project(event, [members = []]) {
    const { id, type, position, data, meta } = event;
    const { startsAt } = change(data);
    const notice = { rehearsalId: idInStream(event), type: type as RehearsalNoticeView['type'], startsAt, position };
    const uids = members.map(({ body }) => body.uid as Uid).filter((uid) => uid !== meta.actorUid);
    return [changed(event, change(data)), ...uids.map((uid) => put<RehearsalNotice>(REHEARSAL_NOTICES, `${id}-${uid}`, { ...notice, uid }))];
  },
});

export const rehearsalsProjector: Projector = projector<RehearsalEvents>(
  {
    name: 'rehearsals',
    version: 1,
    collections: [
      { name: REHEARSALS, indexes: [] },
      { name: REHEARSAL_MEMBERS, indexes: [{ field: 'rehearsalId' }, { field: 'uid' }] },
      { name: REHEARSAL_NOTICES, indexes: [{ field: 'uid', sort: 'position' }] },
    ],
  },
  {
    RehearsalScheduled: (event) => {
      const { data, position } = event;
      const rehearsalId = idInStream(event);
      const rehearsal: RehearsalDocument = { ...data, rehearsalId, phase: 'planned', position };
      return [put(REHEARSALS, rehearsalId, rehearsal), joined(event, data.hostUid)];
    },
    RehearsalJoined: (event) => [changed(event), joined(event, event.data.uid)],
    RehearsalLeft: (event) => [changed(event), remove(REHEARSAL_MEMBERS, memberId(idInStream(event), event.data.uid))],
    RehearsalMoved: toldToMembers(({ to }) => ({ startsAt: to })),
    RehearsalCancelled: toldToMembers(({ startsAt }) => ({ startsAt, phase: 'cancelled' })),
    RehearsalStarted: toldToMembers(({ startsAt }) => ({ startsAt, phase: 'started' })),
  },
);
