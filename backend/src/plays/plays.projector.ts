import type { PlayEvents } from '@roughmix/contracts/plays/play.events.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { type DocumentChange, projector, type Projector, removeWhere } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { PLAYS, playsId, type PlaysDocument } from './plays.documents.js';

/** Adds one session to a document. */
function counted(id: string, projectId: string, session: { readonly seconds: number; readonly endedAt: Instant }): DocumentChange {
  const added = (old: PlaysDocument | null): PlaysDocument => ({
    projectId,
    plays: (old?.plays ?? 0) + 1,
    seconds: (old?.seconds ?? 0) + session.seconds,
    last: Math.max(old?.last ?? 0, session.endedAt),
  });
  return { collection: PLAYS, id, change: (old) => ({ ...added(old as PlaysDocument | null) }) };
}

export const playsProjector: Projector = projector<PlayEvents & Pick<ProjectEvents, 'ProjectPurged'>>(
  { name: 'plays', version: 1, collections: [{ name: PLAYS, indexes: [{ field: 'projectId' }] }] },
  {
    VersionPlayed({ data, meta, stream }) {
      const ids = [playsId(data.versionId), playsId(data.versionId, meta.actorUid ?? '')];
      return ids.map((id) => counted(id, idInStream({ stream }), data));
    },
    ProjectPurged: removeWhere(PLAYS, 'projectId', idInStream),
  },
);
