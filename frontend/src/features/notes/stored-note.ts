import type { NoteSplice } from '@roughmix/contracts/notes/note.api.js';
import type { SavedText } from '../../shared/project/project-notes';

/** A save without an answer yet. It is repeated under the same id until its outcome is known: a new id could insert the same words twice. */
export interface SentSave {
  readonly commandId: string;
  readonly change: NoteSplice;
  /** The text that it results in. */
  readonly text: string;
}

/** What this tab stores while the server does not have it. */
export interface StoredNote {
  readonly base: SavedText;
  readonly text: string;
  readonly sent: SentSave | null;
}
