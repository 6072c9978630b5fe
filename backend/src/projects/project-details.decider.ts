import type { NotesChanges } from '@roughmix/contracts/notes/note.api.js';
import { mayEditProject, mayRemoveProject, type Viewer, type Visibility } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectEvents, ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Folds, Rules } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import { notesProblem } from '../notes/note.decider.js';
import type { ProjectState } from './project.state.js';

export interface DetailCommands {
  /** The actor becomes the owner. */
  CreateProject: Omit<ProjectEvents['ProjectCreated'], 'ownerUid'>;
  /** `notes`: those of the same request, which are saved afterwards. */
  EditProject: {
    readonly projectName?: string;
    readonly description?: string;
    readonly visibility?: Visibility;
    readonly completed?: boolean;
    readonly notes?: NotesChanges;
  };
  RemoveProject: object;
}

type DetailEvents = Pick<
  ProjectEvents,
  'ProjectCreated' | 'ProjectRenamed' | 'ProjectDescriptionEdited' | 'ProjectVisibilityChanged' | 'ProjectCompletionChanged' | 'ProjectRemoved'
>;

/** Creation has its own rule in project.decider.ts, because there is no viewer before the project exists. */
export const detailRules: Rules<Omit<DetailCommands, 'CreateProject'>, ProjectState, Viewer, ProjectStreamEvent> = {
  EditProject(change, project, who) {
    if (!mayEditProject(who)) return refuse('project.not-allowed');
    const problem = change.notes === undefined ? null : notesProblem(change.notes, project, who);
    if (problem !== null) return problem;
    if (change.projectName === '') return refuse('request.invalid', { field: 'projectName' });
    const events: ProjectStreamEvent[] = [];
    if (change.projectName !== undefined && change.projectName !== project.projectName) {
      events.push({ type: 'ProjectRenamed', data: { from: project.projectName, to: change.projectName } });
    }
    if (change.description !== undefined && change.description !== project.description) {
      events.push({ type: 'ProjectDescriptionEdited', data: { from: project.description, to: change.description } });
    }
    if (change.visibility !== undefined && change.visibility !== project.visibility) {
      events.push({ type: 'ProjectVisibilityChanged', data: { from: project.visibility, to: change.visibility } });
    }
    if (change.completed !== undefined && change.completed !== project.completed) {
      events.push({ type: 'ProjectCompletionChanged', data: { from: project.completed, to: change.completed } });
    }
    return events;
  },

  RemoveProject: (_data, _project, who) => (mayRemoveProject(who) ? [{ type: 'ProjectRemoved', data: { abandoned: false } }] : refuse('project.not-allowed')),
};

export const detailFolds: Folds<DetailEvents, ProjectState> = {
  ProjectCreated: (project, { data }) =>
    Object.assign(project, {
      exists: true,
      ownerUid: data.ownerUid,
      firstVersionId: data.firstVersionId,
      projectName: data.projectName,
      description: data.description,
      tinySummary: data.tinySummary,
      pending: { invited: data.invited, message: data.message },
    }),
  ProjectRenamed: (project, { data }) => Object.assign(project, { projectName: data.to }),
  ProjectDescriptionEdited: (project, { data }) => Object.assign(project, { description: data.to }),
  ProjectVisibilityChanged: (project, { data }) => Object.assign(project, { visibility: data.to }),
  ProjectCompletionChanged: (project, { data }) => Object.assign(project, { completed: data.to }),
  ProjectRemoved: (project) => Object.assign(project, { removed: true }),
};
