import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';

export const PUBLIC_NOTES = 'public-notes';
export const PRIVATE_NOTES = 'private-notes';

/** A project's public note, under the project's id. */
export interface NoteDocument {
  readonly projectId: Id;
  readonly text: string;
  readonly hash: string;
  readonly position: Position;
}

/** An owner's private note on a project. */
export interface PrivateNoteDocument extends NoteDocument {
  readonly ownerUid: Uid;
}

export const privateNoteId = (projectId: Id, ownerUid: Uid): string => `${projectId}/${ownerUid}`;
