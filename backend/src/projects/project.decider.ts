import { viewerOf, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Actor, CommandOf, Decider, Stored } from '../kernel/decider.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { createTutorial, type TutorialCommands } from '../tutorial/tutorial.decider.js';
import { personalRules, type PersonalCommands, projectFolds, type SystemCommands, systemRules } from './project-parts.decider.js';
import type { DetailCommands } from './project-details.decider.js';
import { noProject, type ProjectState, projectFromSnapshot } from './project.state.js';

export type ProjectCommands = PersonalCommands & Pick<DetailCommands, 'CreateProject'> & TutorialCommands & SystemCommands;
export type ProjectCommand = CommandOf<ProjectCommands>;

const isOfSystem = (command: ProjectCommand): command is CommandOf<SystemCommands> => Object.hasOwn(systemRules, command.type);

/** A user's role and rights in the project; null if they may not see it. */
const viewer = (project: ProjectState, actor: Actor): Viewer | null => (project.exists && actor.uid !== null ? viewerOf(project, actor.uid) : null);

function decide(command: ProjectCommand, project: ProjectState, actor: Actor): readonly ProjectStreamEvent[] | Refusal {
  if (command.type === 'CreateProject') return actor.uid === null ? refuse('project.not-allowed') : createProject(command.data, project, actor.uid);
  if (command.type === 'CreateTutorial') return actor.uid === null ? refuse('project.not-allowed') : createTutorial(command.data, project, actor.uid);
  if (isOfSystem(command)) return actor.uid === null ? answer(systemRules, command, project, null) : refuse('project.not-allowed');
  const who = viewer(project, actor);
  return who === null ? refuse('project.not-found') : answer(personalRules, command, project, who);
}

/** Runs a command's rule. The cast pairs a command's type with its own data, which the rules' type guarantees. */
function answer<Who>(
  rules: object,
  command: { readonly type: string; readonly data: unknown },
  project: ProjectState,
  who: Who,
): readonly ProjectStreamEvent[] | Refusal {
  const rule = (rules as Record<string, (data: unknown, project: ProjectState, who: Who) => readonly ProjectStreamEvent[] | Refusal>)[command.type];
  if (rule === undefined) throw new Error(`no rule for ${command.type}`);
  return rule(command.data, project, who);
}

function createProject(data: DetailCommands['CreateProject'], project: ProjectState, uid: string): readonly ProjectStreamEvent[] | Refusal {
  if (project.exists) return refuse('project.not-found');
  return [{ type: 'ProjectCreated', data: { ...data, ownerUid: uid } }];
}

/** The decider of a whole project stream: every rule sees all of the project. */
export const projectDecider: Decider<ProjectState, ProjectCommand, ProjectStreamEvent> = {
  name: 'project',
  initial: noProject,
  thaw: projectFromSnapshot,
  evolve: (project, event: Stored<ProjectStreamEvent>) =>
    (projectFolds[event.type] as (project: ProjectState, event: Stored<ProjectStreamEvent>) => ProjectState)(project, event),
  decide,
  sees: (project, actor) => (actor.uid === null || !project.exists || viewer(project, actor) !== null ? null : refuse('project.not-found')),
};
