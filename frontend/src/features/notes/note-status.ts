/** What the page shows about the state of a note. */
export interface NoteStatus {
  readonly state: 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict';
  /** Why the last save failed. */
  readonly failure: string | null;
  /** The server's text, while the user's changes the same part of it. */
  readonly theirs: string | null;
  readonly isTooLong: boolean;
}

export const isSameStatus = (one: NoteStatus, other: NoteStatus): boolean =>
  one.state === other.state && one.failure === other.failure && one.theirs === other.theirs && one.isTooLong === other.isTooLong;
