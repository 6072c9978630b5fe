import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { usernameSlug } from '@roughmix/contracts/users/user.view.js';

/** The patterns that the router knows, without the leading slash where they are nested. */
export const PATTERNS = {
  login: '/login',
  projects: '/projects',
  project: '/projects/:projectId',
  sharedProject: '/:ownerSlug/projects/:projectId',
} as const;

/** The addresses of pages. */
export const paths = {
  login: '/login',
  projects: '/projects',
  sharedProjects: '/projects?view=shared',
  collection: (collectionId: Id): string => `/projects?collection=${collectionId}`,
  /** The user's own project, or another user's under the owner's name. */
  project: ({ _id, owner }: Pick<ProjectView, '_id' | 'owner'>, viewer: Uid): string =>
    owner.uid === viewer ? `/projects/${_id}` : `/${usernameSlug(owner.username)}/projects/${_id}`,
} as const;
