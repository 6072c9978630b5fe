import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { queryOptions, useQuery, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { commentsOf } from '../../features/comments/comments.queries';
import { newerProject, projectOf } from '../../features/project/project.queries';
import { regionsOf } from '../../features/regions/regions.queries';
import { versionsOf } from '../../features/versions/versions.queries';
import { api } from '../../shared/api/client';

interface Placed {
  readonly _id: Id;
  readonly position: Position;
}

/** An answer overtaken by live messages: what is newer stays, and so does what came after it was made. */
export function withNewer<T extends Placed>(known: readonly T[] | undefined, came: readonly T[], madeAt: Position): readonly T[] {
  if (known === undefined) return came;
  const knownById = new Map(known.map((one) => [one._id, one]));
  const cameIds = new Set(came.map(({ _id }) => _id));
  const since = known.filter(({ _id, position }) => !cameIds.has(_id) && position > madeAt);
  return [...came.map((one) => newest(knownById.get(one._id), one)), ...since];
}

const newest = <T extends Placed>(known: T | undefined, came: T): T => (known !== undefined && known.position > came.position ? known : came);

/** One answer fills the caches that live messages and commands then keep true. */
function fill(cache: QueryClient, { project, versions, regions, comments }: ProjectPageAnswer['data']): void {
  const fillList = <T extends Placed>(queryKey: QueryKey, came: readonly T[]) =>
    cache.setQueryData<readonly T[]>(queryKey, (known) => withNewer(known, came, project.position));
  cache.setQueryData(projectOf(project._id).queryKey, (known) => (known === undefined ? project : newerProject(known, project)));
  fillList(versionsOf(project._id).queryKey, versions);
  fillList(regionsOf(project._id).queryKey, regions);
  fillList(commentsOf(project._id).queryKey, comments);
}

/** Everything on a project's page, for members and visitors alike; answers the position it was made at. */
export const projectPageOf = (projectId: Id, uid: Uid) =>
  queryOptions({
    queryKey: ['project-page', projectId, uid],
    queryFn: async ({ client, signal }): Promise<Position> => {
      const { data } = await api.get<ProjectPageAnswer>(PROJECT_PATHS.page(projectId, uid), { signal });
      fill(client, data);
      return data.project.position;
    },
    // What was missed while another page was open is asked for at once; what is known is shown meanwhile.
    staleTime: 0,
  });

/** The page's parts as they stand; null until all of them came. */
export function useProjectPage(projectId: Id, uid: Uid) {
  const page = useQuery(projectPageOf(projectId, uid));
  const { data: project } = useQuery(projectOf(projectId));
  const { data: versions } = useQuery(versionsOf(projectId));
  const { data: regions } = useQuery({ ...regionsOf(projectId), enabled: false });
  const { data: comments } = useQuery(commentsOf(projectId));
  const parts = project && versions && regions && comments ? { project, versions, regions, comments } : null;
  return { page, parts };
}

export type PageParts = NonNullable<ReturnType<typeof useProjectPage>['parts']>;
