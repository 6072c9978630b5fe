import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { TodoEvents } from '@roughmix/contracts/todos/todo.events.js';
import type { TutorialEvents } from '@roughmix/contracts/tutorial/tutorial.events.js';
import { storedFile } from '@roughmix/contracts/versions/audio-file-key.js';
import type { VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import { type DocumentChange, projector, type Projector, put, remove, removeWhere, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type VersionDocument, VERSIONS } from './versions.documents.js';

const notAnalysed = { state: 'analysing', copy: null, analysis: null, peaksKey: null, peaksLevels: 0, rejection: null } as const;

/** Applies a result only if the version still has the file that was analysed. */
const ifCurrentUpload =
  (uploadId: string, change: Partial<VersionDocument>) =>
  (version: VersionDocument): VersionDocument =>
    version.uploadId === uploadId ? { ...version, ...change } : version;

/** Changes the list of todos that were completed under a version. */
const listCompleted = (versionId: Id | null, position: Position, change: (todoIds: readonly Id[]) => readonly Id[]): readonly DocumentChange[] =>
  versionId === null
    ? []
    : [update<VersionDocument>(VERSIONS, versionId, (version) => ({ ...version, completedTodos: change(version.completedTodos), position }))];

export const versionsProjector: Projector = projector<
  VersionEvents & Pick<ProjectEvents, 'ProjectPurged'> & Pick<TodoEvents, 'TodoCompleted' | 'TodoRemoved'> & TutorialEvents
>(
  { name: 'versions', version: 4, collections: [{ name: VERSIONS, indexes: [{ field: 'projectId' }] }] },
  {
    VersionAdded: ({ data, meta, position, stream }) => {
      const { versionId, major, minor, tinySummary, taggedUsers, uploadId, file } = data;
      const given = { versionId, projectId: idInStream({ stream }), major, minor, tinySummary, taggedUsers, uploadId, file: storedFile(file) };
      return [
        put<VersionDocument>(VERSIONS, versionId, {
          ...given,
          ...notAnalysed,
          uploaderUid: meta.actorUid ?? '',
          dateAdded: meta.at,
          completedTodos: [],
          initialLogin: false,
          position,
        }),
      ];
    },
    VersionAnalyzed: ({ data, position }) => {
      const { versionId, uploadId, analysis, peaksKey, peaksLevels } = data;
      return [update(VERSIONS, versionId, ifCurrentUpload(uploadId, { state: 'ready', analysis, peaksKey, peaksLevels, position }))];
    },
    PlaybackCopied: ({ data, position }) => [update(VERSIONS, data.versionId, ifCurrentUpload(data.uploadId, { copy: data.copy, position }))],
    VersionRejected: ({ data, position }) => [
      update(VERSIONS, data.versionId, ifCurrentUpload(data.uploadId, { state: 'rejected', rejection: data.code, position })),
    ],
    VersionReplaced: ({ data, position }) => [
      update<VersionDocument>(VERSIONS, data.versionId, (version) => ({
        ...version,
        ...notAnalysed,
        uploadId: data.uploadId,
        file: storedFile(data.file),
        position,
      })),
    ],
    VersionRemoved: ({ data }) => [remove(VERSIONS, data.versionId)],
    TodoCompleted: ({ data, position }) =>
      listCompleted(data.version?.versionId ?? null, position, (ids) => [...ids.filter((id) => id !== data.todoId), data.todoId]),
    TodoRemoved: ({ data, position }) => listCompleted(data.completedVersionId, position, (ids) => ids.filter((id) => id !== data.todoId)),
    TutorialCreated: ({ data }) => data.versionIds.map((id) => update<VersionDocument>(VERSIONS, id, (version) => ({ ...version, initialLogin: true }))),
    ProjectPurged: removeWhere(VERSIONS, 'projectId', idInStream),
  },
);
