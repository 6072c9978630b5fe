import { PLAY_EVENT_CLASSES } from '@roughmix/contracts/plays/play.events.js';
import type { Slice } from '../platform/slice.js';
import { playsProjector } from './plays.projector.js';

export const playsSlice: Slice = {
  name: 'plays',
  stream: 'project-<id>',
  eventClasses: PLAY_EVENT_CLASSES,
  projectors: [playsProjector],
  load: () => import('./plays.module.js'),
};
