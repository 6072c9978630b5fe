import type { Slice } from '../../platform/slice.js';
import { REHEARSAL_EVENT_CLASSES } from './rehearsal.events.js';
import { rehearsalsProjector } from './rehearsals.projector.js';

/** A slice with streams of its own, to copy. It is no part of the program: its spec composes the two. */
export const rehearsalsSlice: Slice = {
  name: 'rehearsals',
  stream: 'rehearsal-<id>',
  eventClasses: REHEARSAL_EVENT_CLASSES,
  projectors: [rehearsalsProjector],
  load: () => import('./rehearsals.module.js'),
};
