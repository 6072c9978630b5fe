import { TUTORIAL_EVENT_CLASSES } from '@roughmix/contracts/tutorial/tutorial.events.js';
import type { Slice } from '../platform/slice.js';

export const tutorialSlice: Slice = {
  name: 'tutorial',
  stream: 'project-<id>',
  eventClasses: TUTORIAL_EVENT_CLASSES,
  load: () => import('./tutorial.module.js'),
};
