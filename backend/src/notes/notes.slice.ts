import { NOTE_EVENT_CLASSES } from '@roughmix/contracts/notes/note.events.js';
import type { Slice } from '../platform/slice.js';
import { notesProjector } from './notes.projector.js';

export const notesSlice: Slice = {
  name: 'notes',
  stream: 'project-<id>',
  eventClasses: NOTE_EVENT_CLASSES,
  projectors: [notesProjector],
  load: () => import('./notes.module.js'),
};
