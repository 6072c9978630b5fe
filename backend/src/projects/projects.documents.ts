import type { Grant, Visibility } from '@roughmix/contracts/projects/project.access.js';
import type { VersionNumber } from '@roughmix/contracts/shared/versions.js';
import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

export const PROJECTS = 'projects';
export const PROJECT_LISTS = 'project-lists';
export const MEMBERSHIP_LOSSES = 'membership-losses';

/** A project as its queries need it. */
export interface ProjectDocument {
  readonly projectId: Id;
  readonly ownerUid: Uid;
  readonly firstVersionId: Id;
  readonly projectName: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly completed: boolean;
  /** It is its owner's tutorial. */
  readonly initialLogin: boolean;
  readonly started: boolean;
  /** In the order invited. */
  readonly members: Readonly<Record<Uid, Grant>>;
  /** The event that added each member, for the last time. */
  readonly addedBy: Readonly<Record<Uid, Id>>;
  /** Owner and members: the users whose lists include it. */
  readonly memberUids: readonly Uid[];
  /** 'public' if everyone may find it, 'unfinished' until it has a first version, else 'hidden'. */
  readonly listed: 'public' | 'hidden' | 'unfinished';
  readonly versionIds: readonly Id[];
  /** The number of the newest version, removed or not; null before the first. */
  readonly highestVersion: VersionNumber | null;
  /** Comments, including placeholders kept for their replies; replies are not counted. */
  readonly commentCount: number;
  /** Active ones, without replies. */
  readonly todoCount: number;
  readonly completedTodoCount: number;
  readonly dateAdded: Instant;
  readonly dateModified: Instant;
  /** Of the last event that is pushed to anybody: all but plays and changes of the private note. Tells how many pieces the lists have. */
  readonly revision: number;
  readonly noticed: Position;
  /** Of the last event that everybody who sees the project may know of: also without dislikes. */
  readonly position: Position;
  /** The positions of people's own last ratings that nobody else sees as theirs. */
  readonly dislikes: Readonly<Record<Uid, Position>>;
  /** The owner's last change of their private note, which only they notice. */
  readonly privateChange: { readonly at: Instant; readonly position: Position } | null;
}

/** When a project last changed, and its position, as a user sees it. */
export function lastChange(project: ProjectDocument, uid: Uid | null): Pick<ProjectDocument, 'dateModified' | 'position'> {
  const { dateModified, dislikes, privateChange, ownerUid } = project;
  const position = Math.max(project.position, uid !== null && Object.hasOwn(dislikes, uid) ? (dislikes[uid] ?? 0) : 0);
  if (privateChange === null || uid !== ownerUid) return { dateModified, position };
  return { dateModified: Math.max(dateModified, privateChange.at), position: Math.max(position, privateChange.position) };
}

/** The position of the project's last event that may be pushed to a user, whether its view shows it or not: others' dislikes change counts of its comments. */
export const lastNotice = (project: ProjectDocument, uid: Uid | null): Position => Math.max(project.noticed, lastChange(project, uid).position);

/** The number of events that share one piece of a project's lists. */
const PIECE = 500;

/**
 * The items that one stretch of a project's stream added and removed. Stored apart from the project and in pieces, so that a comment writes as little in a
 * long project as in a short one.
 */
export interface ProjectListsPiece {
  readonly regionIds: readonly Id[];
  readonly commentIds: readonly Id[];
  readonly todoIds: readonly Id[];
  /** Todos of this or an earlier piece, in the order completed. */
  readonly completedTodos: readonly Id[];
  /** Regions, comments and todos of this or an earlier piece that were removed. */
  readonly gone: readonly Id[];
}

/** The document id of the piece for a revision. */
export const pieceAt = (projectId: Id, revision: number): string => `${projectId}/${Math.floor(revision / PIECE)}`;

/** The document ids of the pieces up to a revision, in order. */
export const piecesUpTo = (projectId: Id, revision: number): readonly string[] =>
  Array.from({ length: Math.floor(revision / PIECE) + 1 }, (_, at) => pieceAt(projectId, at * PIECE));

/** The items of a project. */
export interface ProjectLists {
  readonly regionIds: readonly Id[];
  readonly commentIds: readonly Id[];
  /** Active ones. */
  readonly todoIds: readonly Id[];
  readonly completedTodos: readonly Id[];
}

/** Merges a project's pieces, given in order. Plain loops, because every command's response contains these lists, however long they are. */
export function listsOf(pieces: readonly ProjectListsPiece[]): ProjectLists {
  const gone = new Set<Id>();
  for (const piece of pieces) for (const id of piece.gone) gone.add(id);
  const lists = { regionIds: [] as Id[], commentIds: [] as Id[], todoIds: [] as Id[], completedTodos: [] as Id[] };
  for (const piece of pieces) {
    for (const id of piece.regionIds) if (!gone.has(id)) lists.regionIds.push(id);
    for (const id of piece.commentIds) if (!gone.has(id)) lists.commentIds.push(id);
    for (const id of piece.completedTodos) if (!gone.has(id)) lists.completedTodos.push(id);
  }
  for (const id of lists.completedTodos) gone.add(id);
  for (const piece of pieces) for (const id of piece.todoIds) if (!gone.has(id)) lists.todoIds.push(id);
  return lists;
}

/** The newest times a person was removed from a project or left one, oldest first, for clients that were disconnected. */
export interface MembershipLosses {
  readonly losses: readonly { readonly projectId: Id; readonly position: Position }[];
}

/** How many are kept. A user who lost more while disconnected has to reload. */
export const MAX_LOSSES = 20;
