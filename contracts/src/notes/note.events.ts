import type { EventClasses } from '../shared/field-classes.js';
import type { Uid } from '../shared/ids.js';
import type { Splice } from './note-splice.js';

export interface NoteEvents {
  /** A splice of the current text; `hash` identifies the text that it results in. */
  PublicNoteEdited: Splice & { readonly hash: string };
  /** As above, of the private note of this owner. */
  PrivateNoteEdited: Splice & { readonly ownerUid: Uid; readonly hash: string };
}

export const NOTE_EVENT_CLASSES: EventClasses<NoteEvents> = {
  PublicNoteEdited: { at: 'plain', removed: 'plain', inserted: 'content', hash: 'content' },
  PrivateNoteEdited: { ownerUid: 'plain', at: 'plain', removed: 'plain', inserted: { personal: 'ownerUid' }, hash: { personal: 'ownerUid' } },
};
