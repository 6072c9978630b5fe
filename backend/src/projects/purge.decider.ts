import type { ProjectEvents, ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Folds, Rules } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import type { ProjectState } from './project.state.js';

/** Asked by the system alone. */
export interface PurgeCommands {
  /** Forgets the next parts of a removed project; asked again until there is nothing left to forget. */
  PurgeProject: object;
}

/** So many ids of each kind in one event stay far below what an append may hold. */
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

export const purgeFolds: Folds<Pick<ProjectEvents, 'ProjectPurged'>, ProjectState> = {
  ProjectPurged(project, { data }) {
    for (const versionId of data.versionIds) delete project.versions[versionId];
    for (const regionId of data.regionIds) delete project.regions[regionId];
    for (const commentId of data.commentIds) delete project.comments[commentId];
    return Object.assign(project, { projectName: '', description: '', tinySummary: '', pending: { invited: [], message: '' }, versionIds: [] });
  },
};
