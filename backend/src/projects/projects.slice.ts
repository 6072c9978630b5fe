import { PROJECT_EVENT_CLASSES } from '@roughmix/contracts/projects/project.events.js';
import type { Slice } from '../platform/slice.js';
import { KEPT } from '../platform/vault/record-kinds.js';
import { partsProjector } from './parts.projector.js';
import { projectsProjector } from './projects.projector.js';

export const projectsSlice: Slice = {
  name: 'projects',
  stream: 'project-<id>',
  eventClasses: PROJECT_EVENT_CLASSES,
  recordKinds: { 'project-openings': KEPT },
  projectors: [projectsProjector, partsProjector],
  load: () => import('./projects.module.js'),
};
