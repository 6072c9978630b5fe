import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { PlayEvents } from '@roughmix/contracts/plays/play.events.js';
import type { Folds, Rules } from '../kernel/decider.js';
import { existingVersion, type ProjectState } from '../projects/project.state.js';

export interface PlayCommands {
  /** A listening session of the caller that has ended. */
  RecordPlay: PlayEvents['VersionPlayed'];
}

/** A session that ends after its version was removed is not recorded. */
export const playRules: Rules<PlayCommands, ProjectState, Viewer, ProjectStreamEvent> = {
  RecordPlay: (data, project) => (existingVersion(project, data.versionId) === null ? [] : [{ type: 'VersionPlayed', data }]),
};

export const playFolds: Folds<PlayEvents, ProjectState> = {
  VersionPlayed: (project) => project,
};
