import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { commentsOf, useComments } from '../../features/comments/comments.queries';
import { newerProject, projectOf } from '../../features/project/project.queries';
import { regionsOf, useRegions } from '../../features/regions/regions.queries';
import { todosOf, useTodos } from '../../features/todos/todos.queries';
import { versionsOf } from '../../features/versions/versions.queries';
import { api } from '../../shared/api/client';
import { fillList } from '../../shared/live/cached-list';
import { notesOf, takeNotes } from '../../shared/project/project-notes';

/** One answer fills the caches that live messages and commands then keep current. */
function fill(cache: QueryClient, { project, versions, regions, comments, todos }: ProjectPageAnswer['data']): void {
  const { _id, position } = project;
  cache.setQueryData(projectOf(_id).queryKey, (known) => (known === undefined ? project : newerProject(known, project)));
  takeNotes(cache, project);
  fillList(cache, versionsOf(_id).queryKey, versions, position);
  fillList(cache, regionsOf(_id).queryKey, regions, position);
  fillList(cache, commentsOf(_id).queryKey, comments, position);
  fillList(cache, todosOf(_id).queryKey, todos, position);
}

/** Everything on a project's page, for members and visitors alike; returns the position that the answer was made at. */
export const projectPageOf = (projectId: Id, uid: Uid) =>
  queryOptions({
    queryKey: ['project-page', projectId, uid],
    queryFn: async ({ client, signal }): Promise<Position> => {
      const { data } = await api.get<ProjectPageAnswer>(PROJECT_PATHS.page(projectId, uid), { signal });
      fill(client, data);
      return data.project.position;
    },
    // A cached page is shown at once and refetched, because it missed what happened while it was closed.
    staleTime: 0,
  });

/** The page's parts as they are now; null until all of them are loaded. */
export function useProjectPage(projectId: Id, uid: Uid) {
  const page = useQuery(projectPageOf(projectId, uid));
  const { data: project } = useQuery(projectOf(projectId));
  const { data: versions } = useQuery(versionsOf(projectId));
  const regions = useRegions(projectId);
  const comments = useComments(projectId);
  const todos = useTodos(projectId);
  const { data: notes } = useQuery(notesOf(projectId));
  const parts = project && versions && regions && comments && todos && notes ? { project, versions, regions, comments, todos, notes } : null;
  return { page, parts };
}

export type PageParts = NonNullable<ReturnType<typeof useProjectPage>['parts']>;

/** The request that fills the parts. */
export interface PageQuery {
  /** False while the parts may be from before the page was opened. */
  readonly isFetchedAfterMount: boolean;
  /** When the parts were last filled. */
  readonly dataUpdatedAt: number;
  readonly refetch: (options?: { readonly cancelRefetch: boolean }) => Promise<{ readonly isSuccess: boolean }>;
}
