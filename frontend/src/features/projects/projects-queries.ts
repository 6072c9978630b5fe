import type { ListedProject, ListedProjectsAnswer } from '@roughmix/contracts/projects/project.view.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client';
import { withoutRemovedSince } from '../../shared/live/cached-list';

/** Key prefix of all lists of projects. */
export const PROJECTS_KEY = ['projects'] as const;

const REFRESH_MS = 60_000;
/** The tutorial of a new user may still be on its way. */
const EMPTY_REFRESH_MS = 3_000;

/** A user's own and shared projects, last changed first. Most changes are pushed to a project's room alone, so a visible list asks again. */
export const projectsOf = (uid: Uid) =>
  queryOptions({
    queryKey: [...PROJECTS_KEY, uid],
    queryFn: async ({ client, queryKey, signal }): Promise<readonly ListedProject[]> => {
      const { projects } = await api.get<ListedProjectsAnswer>(PROJECT_PATHS.list(uid), { signal, isBrief: true });
      return withoutRemovedSince(client, queryKey, projects);
    },
    refetchInterval: ({ state: { data } }) => (data?.length === 0 ? EMPTY_REFRESH_MS : REFRESH_MS),
    refetchOnWindowFocus: 'always',
  });
