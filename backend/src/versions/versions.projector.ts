import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import { projector, type Projector, put, remove, removeWhere, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type VersionDocument, VERSIONS } from './versions.documents.js';

const unread = { state: 'analysing', analysis: null, peaksKey: null, peaksLevels: 0, rejection: null } as const;

/** A result only counts for the file that was analysed. */
const ifAwaited =
  (uploadId: string, change: Partial<VersionDocument>) =>
  (version: VersionDocument): VersionDocument =>
    version.uploadId === uploadId ? { ...version, ...change } : version;

export const versionsProjector: Projector = projector<VersionEvents & Pick<ProjectEvents, 'ProjectPurged'>>(
  { name: 'versions', version: 1, collections: [{ name: VERSIONS, indexes: [{ field: 'projectId' }] }] },
  {
    VersionAdded: ({ data, meta, position, stream }) => {
      const { versionId, major, minor, tinySummary, taggedUsers, uploadId, file } = data;
      const given = { versionId, projectId: idInStream({ stream }), major, minor, tinySummary, taggedUsers, uploadId, file };
      return [put<VersionDocument>(VERSIONS, versionId, { ...given, ...unread, uploaderUid: meta.actorUid ?? '', dateAdded: meta.at, position })];
    },
    VersionAnalyzed: ({ data, position }) => {
      const { versionId, uploadId, analysis, peaksKey, peaksLevels } = data;
      return [update(VERSIONS, versionId, ifAwaited(uploadId, { state: 'ready', analysis, peaksKey, peaksLevels, position }))];
    },
    VersionRejected: ({ data, position }) => [
      update(VERSIONS, data.versionId, ifAwaited(data.uploadId, { state: 'rejected', rejection: data.code, position })),
    ],
    VersionReplaced: ({ data, position }) => [
      update<VersionDocument>(VERSIONS, data.versionId, (version) => ({ ...version, ...unread, uploadId: data.uploadId, file: data.file, position })),
    ],
    VersionRemoved: ({ data }) => [remove(VERSIONS, data.versionId)],
    ProjectPurged: removeWhere(VERSIONS, 'projectId', idInStream),
  },
);
