import type { EventClasses } from '../shared/field-classes.js';
import type { Uid } from '../shared/ids.js';
import type { Splice } from './note-splice.js';

export interface NoteEvents {
  /** A splice of the current text; `hash` identifies the text that it results in. */
  PublicNoteEdited: Splice & { readonly hash: string };
  /** The same of this owner's private note. */
  PrivateNoteEdited: Splice & { readonly ownerUid: Uid; readonly hash: string };
}

export const NOTE_EVENT_CLASSES: EventClasses<NoteEvents> = {
  PublicNoteEdited: { at: 'plain', removed: 'plain', inserted: 'content', hash: 'content' },
  PrivateNoteEdited: { ownerUid: 'plain', at: 'plain', removed: 'plain', inserted: { personal: 'ownerUid' }, hash: { personal: 'ownerUid' } },
};
