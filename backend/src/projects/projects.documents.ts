import type { Grant, Visibility } from '@roughmix/contracts/projects/project.access.js';
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
  readonly started: boolean;
  /** In the order invited. */
  readonly members: Readonly<Record<Uid, Grant>>;
  /** The owner and the members: whose lists it is in. */
  readonly memberUids: readonly Uid[];
  /** 'public' once everybody may find it, 'unfinished' until its first version stands, else 'hidden'. */
  readonly listed: 'public' | 'hidden' | 'unfinished';
  readonly versionIds: readonly Id[];
  /** Comments, including placeholders kept for their replies; replies are not counted. */
  readonly commentCount: number;
  readonly dateAdded: Instant;
  readonly dateModified: Instant;
  /** Of the project's last event: says how many pieces its lists have. */
  readonly revision: number;
  readonly position: Position;
}

/** So many events of a project share a piece of its lists. */
const PIECE = 500;

/**
 * What the events of one stretch of a project's stream brought into it and took out of it. Apart from the project and in pieces, so that a comment on a
 * long project writes no more than one on a short one.
 */
export interface ProjectListsPiece {
  readonly regionIds: readonly Id[];
  readonly commentIds: readonly Id[];
  /** Regions and comments of this piece or of one before that are there no more. */
  readonly gone: readonly Id[];
}

/** Where the piece of a revision lies. */
export const pieceAt = (projectId: Id, revision: number): string => `${projectId}/${Math.floor(revision / PIECE)}`;

/** Where the pieces up to a revision lie, in order. */
export const piecesUpTo = (projectId: Id, revision: number): readonly string[] =>
  Array.from({ length: Math.floor(revision / PIECE) + 1 }, (_, at) => pieceAt(projectId, at * PIECE));

/** What lies in a project. */
export interface ProjectLists {
  readonly regionIds: readonly Id[];
  readonly commentIds: readonly Id[];
}

/** Puts the pieces of a project together, given in their order. Plain loops: every command's answer holds these lists, however long they are. */
export function listsOf(pieces: readonly ProjectListsPiece[]): ProjectLists {
  const gone = new Set<Id>();
  for (const piece of pieces) for (const id of piece.gone) gone.add(id);
  const lists = { regionIds: [] as Id[], commentIds: [] as Id[] };
  for (const piece of pieces) {
    for (const id of piece.regionIds) if (!gone.has(id)) lists.regionIds.push(id);
    for (const id of piece.commentIds) if (!gone.has(id)) lists.commentIds.push(id);
  }
  return lists;
}

/** The newest times a person was removed from a project or left one, oldest first, for clients that were disconnected. */
export interface MembershipLosses {
  readonly losses: readonly { readonly projectId: Id; readonly position: Position }[];
}

/** How many are kept. A person who lost more while away has to reload. */
export const KEPT_LOSSES = 20;
