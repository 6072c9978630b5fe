import type { Rating } from '@roughmix/contracts/comments/comment.events.js';
import type { Grant, ProjectForAccess, Visibility } from '@roughmix/contracts/projects/project.access.js';
import type { Invited } from '@roughmix/contracts/projects/project.events.js';
import type { RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Marks } from '@roughmix/contracts/shared/marks.js';
import type { Due } from '@roughmix/contracts/todos/todo.due.js';
import type { AudioFile } from '@roughmix/contracts/versions/version.events.js';
import type { VersionState } from '@roughmix/contracts/versions/version.view.js';
import { emptyNotes, type NotesState } from '../notes/note.state.js';

/** A version as rules need it. Removed versions stay, so that rules can check references to them. */
export interface VersionFacts {
  readonly uploaderUid: Uid;
  readonly major: number;
  readonly minor: number;
  readonly removed: boolean;
  readonly state: VersionState;
  readonly uploadId: Id;
  readonly file: AudioFile;
  /** Whether browsers get a copy of the file. */
  readonly hasCopy: boolean;
  readonly peaksKey: string | null;
  /** It came with the tutorial project. */
  readonly initialLogin: boolean;
}

export interface RegionFacts {
  readonly authorUid: Uid;
  readonly versionId: Id;
  readonly span: RegionSpan;
  /** The region that this one is a child of. */
  readonly parentRegionId: Id | null;
}

export interface CommentFacts {
  readonly authorUid: Uid;
  readonly kind: 'text' | 'image';
  /** As stored: mentions are uids. */
  readonly content: string;
  readonly parentCommentId: Id | null;
  readonly replyIds: readonly Id[];
  readonly marks: Marks;
  readonly taggedUsers: readonly Uid[];
  /** A removed comment that is kept for its replies. */
  readonly removed: boolean;
  /** The key of its image, once uploaded. */
  readonly imageKey: string | null;
  readonly ratings: Readonly<Record<Uid, Rating>>;
}

/** A todo or a reply to one. */
export interface TodoFacts {
  readonly authorUid: Uid;
  /** As stored: mentions are uids. */
  readonly content: string;
  readonly parentTodoId: Id | null;
  readonly replyIds: readonly Id[];
  readonly marks: Marks;
  readonly taggedUsers: readonly Uid[];
  readonly due: Due;
  readonly reminderSent: boolean;
  readonly completed: boolean;
  readonly completedVersionId: Id | null;
}

/** The invitation of a project that has no version yet. */
export interface PendingInvitation {
  readonly invited: readonly Invited[];
  readonly message: string;
}

/**
 * The state of a project that its rules need; plain JSON, so that it can be saved as a snapshot. Its maps have no prototype, because ids come from clients
 * and 'constructor' must not be found.
 */
export interface ProjectState extends ProjectForAccess {
  exists: boolean;
  removed: boolean;
  started: boolean;
  ownerUid: Uid;
  firstVersionId: Id;
  projectName: string;
  description: string;
  tinySummary: string;
  visibility: Visibility;
  completed: boolean;
  pending: PendingInvitation;
  readonly members: Record<Uid, Grant>;
  /** Versions that are not removed, oldest first; the last is current. */
  versionIds: readonly Id[];
  highestNumber: { readonly major: number; readonly minor: number } | null;
  readonly versions: Record<Id, VersionFacts>;
  readonly regions: Record<Id, RegionFacts>;
  readonly comments: Record<Id, CommentFacts>;
  readonly todos: Record<Id, TodoFacts>;
  readonly notes: NotesState;
}

const emptyMap = <Value>(): Record<string, Value> => Object.create(null) as Record<string, Value>;

/** A stream without events. */
export const noProject = (): ProjectState => ({
  exists: false,
  removed: false,
  started: false,
  ownerUid: '',
  firstVersionId: '',
  projectName: '',
  description: '',
  tinySummary: '',
  visibility: 'private',
  completed: false,
  pending: { invited: [], message: '' },
  members: emptyMap(),
  versionIds: [],
  highestNumber: null,
  versions: emptyMap(),
  regions: emptyMap(),
  comments: emptyMap(),
  todos: emptyMap(),
  notes: emptyNotes(),
});

/** Restores a state from its JSON. Removes the prototypes that parsing adds; a map added to the state since is empty. */
export function projectFromSnapshot(json: unknown): ProjectState {
  const empty = noProject();
  const project: ProjectState = { ...empty, ...(json as ProjectState) };
  for (const [name, value] of Object.entries<unknown>({ ...empty })) {
    const isMap = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
    if (isMap) Object.setPrototypeOf(project[name as keyof ProjectState], null);
  }
  return project;
}

/** A version that is not removed, or null. */
export function existingVersion(project: ProjectState, versionId: Id): VersionFacts | null {
  const version = project.versions[versionId];
  return version === undefined || version.removed ? null : version;
}

/** The members' uids, the owner first. */
export const memberUids = (project: ProjectState): readonly Uid[] => [project.ownerUid, ...Object.keys(project.members)];
