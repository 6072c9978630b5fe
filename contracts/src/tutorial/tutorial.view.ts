import type { ProjectView } from '../projects/project.view.js';

/** POST /api/admin/{key}/initializeContent: the tutorial project as its owner sees it. */
export interface InitializeContentAnswer {
  readonly project: ProjectView;
}
