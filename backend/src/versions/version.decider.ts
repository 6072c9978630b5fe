import { mayAddVersion, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { nextNumber, type UpdateType } from '@roughmix/contracts/shared/versions.js';
import { mayRemoveVersion, mayReplaceVersion } from '@roughmix/contracts/versions/version.access.js';
import { storedFile } from '@roughmix/contracts/versions/audio-file-key.js';
import type { AudioFile, PlaybackCopy, VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import type { Folds, Rules } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import { newMembers, withoutBlockers } from '../projects/member.decider.js';
import { type ProjectState, existingVersion, type VersionFacts } from '../projects/project.state.js';
import { audioKey } from './version-keys.js';

/** A probed upload. It has no key yet, because the key contains the version's number. */
export type ProbedFile = Omit<AudioFile, 'key'>;

export interface VersionCommands {
  /** `first`: the first version of a new project, which also sends the project's pending invitation, except to those who by now block its sender. */
  AddVersion: {
    readonly projectId: Id;
    readonly versionId: Id;
    readonly uploadId: Id;
    readonly first: boolean;
    readonly updateType: UpdateType;
    readonly tinySummary: string;
    readonly taggedUsers: readonly Uid[];
    readonly file: ProbedFile;
    readonly blockers?: readonly Uid[];
  };
  ReplaceVersion: { readonly projectId: Id; readonly versionId: Id; readonly uploadId: Id; readonly file: ProbedFile };
  RemoveVersion: { readonly versionId: Id };
}

/** Analysis results; sent by the system only. */
export interface AnalysisCommands {
  /** `copy`: null if browsers play the file as it is. */
  RecordAnalysis: VersionEvents['VersionAnalyzed'] & { readonly copy: PlaybackCopy | null };
  /** A copy of a file that was analysed earlier. */
  RecordCopy: VersionEvents['PlaybackCopied'];
  RecordRejection: VersionEvents['VersionRejected'];
  /** Removes a project that never got its first version. */
  AbandonProject: object;
}

/** Whether a version already uses this upload's file. */
const isUsed = (project: ProjectState, uploadId: Id): boolean => Object.values(project.versions).some((version) => version.uploadId === uploadId);

export const versionRules: Rules<VersionCommands, ProjectState, Viewer, ProjectStreamEvent> = {
  AddVersion({ projectId, first, blockers = [], updateType, file, tinySummary, ...version }, project, who) {
    if (!mayAddVersion(who)) return refuse('project.not-allowed');
    if (first && (project.started || version.versionId !== project.firstVersionId)) return refuse('project.has-version');
    if (!first && !project.started) return refuse('version.not-found');
    if (project.versions[version.versionId] !== undefined || isUsed(project, version.uploadId)) return refuse('upload.not-found');
    const number = nextNumber(project.highestNumber, updateType);
    const key = audioKey({ ownerUid: who.uid, projectId, versionId: version.versionId, number });
    const summary = tinySummary || (first ? project.tinySummary : '') || 'Initial Version';
    const added: ProjectStreamEvent = { type: 'VersionAdded', data: { ...version, ...number, tinySummary: summary, file: { ...file, key } } };
    const invited = first ? withoutBlockers(newMembers(project, project.pending.invited), blockers) : [];
    return invited.length === 0 ? [added] : [added, { type: 'ProjectUsersInvited', data: { invited, message: project.pending.message } }];
  },

  ReplaceVersion({ projectId, versionId, uploadId, file }, project, who) {
    const version = existingVersion(project, versionId);
    if (version === null) return refuse('version.not-found');
    if (!mayReplaceVersion(who, version)) return refuse('project.not-allowed');
    if (version.state !== 'rejected') return refuse('version.not-rejected');
    if (isUsed(project, uploadId)) return refuse('upload.not-found');
    const key = audioKey({ ownerUid: version.uploaderUid, projectId, versionId, number: version, upload: uploadId });
    return [{ type: 'VersionReplaced', data: { versionId, uploadId, file: { ...file, key } } }];
  },

  RemoveVersion({ versionId }, project, who) {
    const version = existingVersion(project, versionId);
    if (version === null) return refuse('version.not-found');
    return mayRemoveVersion(who, version) ? [{ type: 'VersionRemoved', data: { versionId } }] : refuse('project.not-allowed');
  },
};

/** The version, if it still has the file of this upload. A late result for a replaced or removed file changes nothing. */
const withUpload = (project: ProjectState, { versionId, uploadId }: { versionId: Id; uploadId: Id }): VersionFacts | null => {
  const version = project.removed ? null : existingVersion(project, versionId);
  return version?.uploadId === uploadId ? version : null;
};

const isAwaited = (project: ProjectState, upload: { versionId: Id; uploadId: Id }): boolean => withUpload(project, upload)?.state === 'analysing';

const needsCopy = (project: ProjectState, upload: { versionId: Id; uploadId: Id }): boolean => {
  const version = withUpload(project, upload);
  return version?.state === 'ready' && !version.hasCopy;
};

export const analysisRules: Rules<AnalysisCommands, ProjectState, null, ProjectStreamEvent> = {
  RecordAnalysis({ copy, ...data }, project) {
    if (!isAwaited(project, data)) return [];
    const { versionId, uploadId } = data;
    // The copy comes first, so that no version is ready before browsers can play it.
    const copied: readonly ProjectStreamEvent[] = copy === null ? [] : [{ type: 'PlaybackCopied', data: { versionId, uploadId, copy } }];
    return [...copied, { type: 'VersionAnalyzed', data }];
  },
  RecordCopy: (data, project) => (needsCopy(project, data) ? [{ type: 'PlaybackCopied', data }] : []),
  RecordRejection: (data, project) => (isAwaited(project, data) ? [{ type: 'VersionRejected', data }] : []),
  AbandonProject: (_data, project) => (project.exists && !project.started && !project.removed ? [{ type: 'ProjectRemoved', data: { abandoned: true } }] : []),
};

const change = (project: ProjectState, versionId: Id, facts: Partial<VersionFacts>): ProjectState => {
  const version = project.versions[versionId];
  if (version !== undefined) project.versions[versionId] = { ...version, ...facts };
  return project;
};

export const versionFolds: Folds<VersionEvents, ProjectState> = {
  VersionAdded(project, { data, meta }) {
    const { major, minor, file, uploadId } = data;
    project.versions[data.versionId] = {
      uploaderUid: meta.actorUid ?? project.ownerUid,
      major,
      minor,
      removed: false,
      state: 'analysing',
      uploadId,
      file: storedFile(file),
      hasCopy: false,
      peaksKey: null,
      initialLogin: false,
    };
    return Object.assign(project, {
      started: true,
      pending: { invited: [], message: '' },
      versionIds: [...project.versionIds, data.versionId],
      highestNumber: { major, minor },
    });
  },
  VersionAnalyzed: (project, { data }) => change(project, data.versionId, { state: 'ready', peaksKey: data.peaksKey }),
  PlaybackCopied: (project, { data }) => change(project, data.versionId, { hasCopy: true }),
  VersionRejected: (project, { data }) => change(project, data.versionId, { state: 'rejected' }),
  VersionReplaced: (project, { data }) =>
    change(project, data.versionId, { state: 'analysing', uploadId: data.uploadId, file: storedFile(data.file), hasCopy: false, peaksKey: null }),
  VersionRemoved(project, { data }) {
    project.versionIds = project.versionIds.filter((id) => id !== data.versionId);
    return change(project, data.versionId, { removed: true });
  },
};
