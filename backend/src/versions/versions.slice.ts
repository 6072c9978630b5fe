import { VERSION_EVENT_CLASSES } from '@roughmix/contracts/versions/version.events.js';
import type { Slice } from '../platform/slice.js';
import { versionsProjector } from './versions.projector.js';

export const versionsSlice: Slice = {
  name: 'versions',
  stream: 'project-<id>',
  eventClasses: VERSION_EVENT_CLASSES,
  projectors: [versionsProjector],
  load: () => import('./versions.module.js'),
};
