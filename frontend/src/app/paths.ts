import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { REGISTER_PAGE } from '@roughmix/contracts/users/user.paths.js';
import { type PersonView, usernameSlug } from '@roughmix/contracts/users/user.view.js';
import type { SettingsTab } from '../features/account/settings-tabs';

/** The patterns that the router knows, without the leading slash where they are nested. */
export const PATTERNS = {
  landing: '/',
  privacy: '/privacy',
  terms: '/terms',
  projectsTerms: '/terms/projects-terms-of-service',
  login: '/login',
  passwordReset: '/passwordReset',
  resetWith: '/passwordReset/:token',
  invite: '/invite/:token',
  unsubscribe: '/unsubscribe/:token',
  contact: '/contact',
  register: REGISTER_PAGE,
  welcome: '/welcome',
  home: '/home',
  /** A profile, '/@slug': the router knows whole segments only. */
  handle: '/:handle',
  projects: '/projects',
  project: '/projects/:projectId',
  sharedProject: '/:ownerSlug/projects/:projectId',
} as const;

/** Whether a path is that of a profile, '/@slug'. */
export const isProfile = (pathname: string): boolean => /^\/@[^/]+\/?$/.test(pathname);

/** What the list passes to a project's page, which shows the name before the project is loaded. */
export interface ProjectRouteState {
  readonly projectId: Id;
  readonly ownerId: Uid;
  readonly projectName: string;
}

/** The route state of a project; null when the page was opened in another way. */
export function routeStateOf(state: unknown): ProjectRouteState | null {
  return typeof state === 'object' && state !== null && 'projectId' in state && 'projectName' in state ? (state as ProjectRouteState) : null;
}

/** The addresses of pages. */
export const paths = {
  landing: '/',
  privacy: '/privacy',
  terms: '/terms',
  projectsTerms: '/terms/projects-terms-of-service',
  login: '/login',
  passwordReset: '/passwordReset',
  contact: '/contact',
  welcome: '/welcome',
  home: '/home',
  /** The settings, over the own profile. */
  settings: (tab: SettingsTab): string => `/home?settings=${tab}`,
  projects: '/projects',
  sharedProjects: '/projects?view=shared',
  collection: (collectionId: Id): string => `/projects?collection=${collectionId}`,
  /** The user's own project, or another user's under the owner's name. */
  project: ({ _id, owner }: { readonly _id: Id; readonly owner: Pick<PersonView, 'uid' | 'username'> }, viewer: Uid): string =>
    owner.uid === viewer ? `/projects/${_id}` : `/${usernameSlug(owner.username)}/projects/${_id}`,
  /** A todo in a project's page. */
  todo: (project: string, todoId: Id): string => `${project}?todo=${todoId}`,
} as const;
