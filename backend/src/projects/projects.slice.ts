import { PROJECT_EVENT_CLASSES } from '@roughmix/contracts/projects/project.events.js';
import type { Slice } from '../platform/slice.js';
import { partsProjector } from './parts.projector.js';
import { projectsProjector } from './projects.projector.js';

export const projectsSlice: Slice = {
  name: 'projects',
  stream: 'project-<id>',
  eventClasses: PROJECT_EVENT_CLASSES,
  projectors: [projectsProjector, partsProjector],
  load: () => import('./projects.module.js'),
};
