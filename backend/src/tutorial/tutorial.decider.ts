import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { ProjectEvents, ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { RegionEvents } from '@roughmix/contracts/regions/region.events.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { TodoEvents } from '@roughmix/contracts/todos/todo.events.js';
import type { TutorialEvents } from '@roughmix/contracts/tutorial/tutorial.events.js';
import type { VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import type { Folds } from '../kernel/decider.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import type { ProjectState } from '../projects/project.state.js';

/** A version with the analysis of its shared file. */
export interface TutorialVersion {
  readonly added: VersionEvents['VersionAdded'];
  readonly analyzed: VersionEvents['VersionAnalyzed'];
}

/** A whole tutorial: the project and everything in it. */
export interface TutorialPlan {
  readonly project: Omit<ProjectEvents['ProjectCreated'], 'ownerUid'>;
  readonly versions: readonly TutorialVersion[];
  readonly regions: readonly RegionEvents['RegionAdded'][];
  readonly comments: readonly CommentEvents['CommentAdded'][];
  readonly replies: readonly CommentEvents['CommentReplyAdded'][];
  readonly todos: readonly TodoEvents['TodoAdded'][];
  readonly completed: readonly TodoEvents['TodoCompleted'][];
}

export interface TutorialCommands {
  /** The actor becomes the owner and the author of everything. */
  CreateTutorial: TutorialPlan;
}

/** All of it in one append, so that no crash leaves half a tutorial. */
export function createTutorial(plan: TutorialPlan, project: ProjectState, uid: Uid): readonly ProjectStreamEvent[] | Refusal {
  if (project.exists) return refuse('project.not-found');
  return [
    { type: 'ProjectCreated', data: { ...plan.project, ownerUid: uid } },
    ...plan.versions.flatMap(({ added, analyzed }): readonly ProjectStreamEvent[] => [
      { type: 'VersionAdded', data: added },
      { type: 'VersionAnalyzed', data: analyzed },
    ]),
    ...plan.regions.map((data): ProjectStreamEvent => ({ type: 'RegionAdded', data })),
    ...plan.comments.map((data): ProjectStreamEvent => ({ type: 'CommentAdded', data })),
    ...plan.replies.map((data): ProjectStreamEvent => ({ type: 'CommentReplyAdded', data })),
    ...plan.todos.map((data): ProjectStreamEvent => ({ type: 'TodoAdded', data })),
    ...plan.completed.map((data): ProjectStreamEvent => ({ type: 'TodoCompleted', data })),
    {
      type: 'TutorialCreated',
      data: { versionIds: plan.versions.map(({ added }) => added.versionId), todoIds: plan.todos.map(({ todoId }) => todoId) },
    },
  ];
}

export const tutorialFolds: Folds<TutorialEvents, ProjectState> = {
  TutorialCreated(project, { data }) {
    for (const versionId of data.versionIds) {
      const version = project.versions[versionId];
      if (version !== undefined) project.versions[versionId] = { ...version, initialLogin: true };
    }
    return project;
  },
};
