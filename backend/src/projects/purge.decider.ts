import type { ProjectEvents, ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Folds, Rules } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import { noProject, type ProjectState } from './project.state.js';

/** Sent by the system only. */
export interface PurgeCommands {
  /** Deletes the items of a removed project; repeated until none is left. */
  PurgeProject: object;
}

/** The most ids of each kind in one event, far below the size limit of an append. */
const PARTS = 1_500;

const next = (parts: object): readonly string[] => Object.keys(parts).slice(0, PARTS);

export const purgeRules: Rules<PurgeCommands, ProjectState, null, ProjectStreamEvent> = {
  PurgeProject(_data, project) {
    if (!project.removed) return refuse('project.not-allowed');
    const purged = { versionIds: next(project.versions), regionIds: next(project.regions), commentIds: next(project.comments) };
    const isDone = Object.values(purged).every((ids) => ids.length === 0) && project.projectName === '';
    return isDone ? [] : [{ type: 'ProjectPurged', data: purged }];
  },
};

/**
 * A purged project keeps its members, and parts that the event does not name yet. The lists are complete for program versions that forget by them. All other
 * parts, those of future slices included, disappear with the first event, because read models forget by an index on the project.
 */
export const purgeFolds: Folds<Pick<ProjectEvents, 'ProjectPurged'>, ProjectState> = {
  ProjectPurged(project, { data }) {
    const { exists, removed, started, ownerUid, firstVersionId, visibility, completed, members, highestNumber, versions, regions, comments } = project;
    for (const versionId of data.versionIds) delete versions[versionId];
    for (const regionId of data.regionIds) delete regions[regionId];
    for (const commentId of data.commentIds) delete comments[commentId];
    const kept = { exists, removed, started, ownerUid, firstVersionId, visibility, completed, members, highestNumber };
    return { ...noProject(), ...kept, versions, regions, comments };
  },
};
