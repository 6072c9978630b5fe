import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent, ProjectStreamEvents } from '@roughmix/contracts/projects/project.events.js';
import { commentFolds, commentRules } from '../comments/comment.decider.js';
import type { Folds } from '../kernel/decider.js';
import type { Refusal } from '../kernel/refusal.js';
import { noteFolds, noteRules } from '../notes/note.decider.js';
import { playFolds, playRules } from '../plays/play.decider.js';
import { regionFolds, regionRules } from '../regions/region.decider.js';
import { reminderRules, todoFolds, todoRules } from '../todos/todo.decider.js';
import { tutorialFolds } from '../tutorial/tutorial.decider.js';
import { analysisRules, versionFolds, versionRules } from '../versions/version.decider.js';
import { erasureRules, memberFolds, memberRules } from './member.decider.js';
import { detailFolds, detailRules } from './project-details.decider.js';
import type { ProjectState } from './project.state.js';
import { purgeFolds, purgeRules } from './purge.decider.js';

type AnyRules<Who> = Readonly<Record<string, (data: never, project: ProjectState, who: Who) => readonly ProjectStreamEvent[] | Refusal>>;

/** The contribution of one slice, or one concern of this slice, to the project stream's decider. */
interface ProjectPart {
  /** Commands of users; the rules get the user's role and rights in the project. */
  readonly rules?: AnyRules<Viewer>;
  /** Commands that only the system sends: results of reactors, consequences of erasing a person. */
  readonly systemRules?: AnyRules<null>;
  readonly folds: Readonly<Record<string, (project: ProjectState, event: never) => ProjectState>>;
  /** Events that add an item to the project, with the field of its id, so that requests with only the item's id find its project. */
  readonly begins: { readonly [Type in keyof ProjectStreamEvents]?: keyof ProjectStreamEvents[Type] & string };
}

/** The one list of slices that share a project's stream. A new slice in the project adds one line here. */
const PARTS = {
  details: { rules: detailRules, folds: detailFolds, begins: {} },
  members: { rules: memberRules, systemRules: erasureRules, folds: memberFolds, begins: {} },
  purge: { systemRules: purgeRules, folds: purgeFolds, begins: {} },
  versions: { rules: versionRules, systemRules: analysisRules, folds: versionFolds, begins: { VersionAdded: 'versionId' } },
  regions: { rules: regionRules, folds: regionFolds, begins: { RegionAdded: 'regionId', ChildRegionAdded: 'regionId' } },
  comments: { rules: commentRules, folds: commentFolds, begins: { CommentAdded: 'commentId', CommentReplyAdded: 'commentId' } },
  todos: { rules: todoRules, systemRules: reminderRules, folds: todoFolds, begins: { TodoAdded: 'todoId', TodoReplyAdded: 'todoId' } },
  notes: { rules: noteRules, folds: noteFolds, begins: {} },
  tutorial: { folds: tutorialFolds, begins: {} },
  plays: { rules: playRules, folds: playFolds, begins: {} },
} as const satisfies Readonly<Record<string, ProjectPart>>;

type Parts = typeof PARTS;
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Each) => void ? Each : never;
type Merged<Key extends keyof ProjectPart> = All<
  { [Name in keyof Parts]: Parts[Name] extends Readonly<Record<Key, infer Value>> ? Value : never }[keyof Parts]
>;
type CommandsOf<RulesByType> = { [Type in keyof RulesByType]: RulesByType[Type] extends (data: infer Data, ...rest: never[]) => unknown ? Data : never };

/** @throws Error when two parts handle the same command or fold the same event */
function merged<Key extends keyof ProjectPart>(key: Key): Merged<Key> {
  const entries = Object.values<ProjectPart>(PARTS).flatMap((part) => Object.entries(part[key] ?? {}));
  const all = Object.fromEntries(entries);
  if (Object.keys(all).length < entries.length)
    throw new Error(`two parts of a project share one of their ${key}: ${entries.map(([type]) => type).join(', ')}`);
  return all as Merged<Key>;
}

/** Commands of users, except the one that creates the project. */
export type PersonalCommands = CommandsOf<Merged<'rules'>>;
export type SystemCommands = CommandsOf<Merged<'systemRules'>>;

export const personalRules = merged('rules');
export const systemRules = merged('systemRules');
/** Does not compile while an event of the stream has no fold. */
export const projectFolds: Folds<ProjectStreamEvents, ProjectState> = merged('folds');
/** Every event type of a project's stream. */
export const PROJECT_EVENT_TYPES = Object.keys(projectFolds) as readonly (keyof ProjectStreamEvents)[];
/** The field of the item's id for each event that adds an item to the project. */
export const ITEM_IDS: ReadonlyMap<string, string> = new Map(Object.entries<string>(merged('begins')));
