import { useEffect } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { isErased, type SelfView, usernameSlug } from '@roughmix/contracts/users/user.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { usePlayerStore } from '../../features/player/player-provider';
import { isProblem, errorMessage } from '../../shared/api/api-errors';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { useSession } from '../../shared/session/session-provider';
import { paths, routeStateOf } from '../paths';
import { useProjectPage } from './project-page-data';
import { NoProject, ProjectFailed, ProjectSkeleton } from './project-page-states';
import { ProjectWorkspace } from './project-page-workspace';

const PRODUCT = 'Roughmix Studio beta';

/** Replaces an address under a name that the owner no longer has. */
function useOwnersAddress(project: ProjectView | undefined, viewer: Uid): void {
  const navigate = useNavigate();
  const { ownerSlug } = useParams();
  const location = useLocation();
  const isOutdated = project !== undefined && ownerSlug !== undefined && !isErased(project.owner) && usernameSlug(project.owner.username) !== ownerSlug;
  useEffect(() => {
    if (!isOutdated) return;
    const state: unknown = location.state;
    void navigate({ ...location, pathname: paths.project(project, viewer) }, { replace: true, state });
  }, [isOutdated, navigate, project, viewer, location]);
}

function Loaded({ projectId, user }: { readonly projectId: Id; readonly user: SelfView }) {
  const state = routeStateOf(useLocation().state);
  const projectName = state?.projectId === projectId ? state.projectName : null;
  const { page, parts } = useProjectPage(projectId, user.uid);
  const isMissing = page.error !== null && isProblem(page.error, 'project.not-found');
  const shown = isMissing ? null : parts;
  useOwnersAddress(shown?.project, user.uid);
  const player = usePlayerStore();
  useEffect(() => {
    if (isMissing) player.release(projectId);
  }, [isMissing, player, projectId]);
  // The only component of the page that sets the title: effects of children run first, so a parent's title would replace theirs.
  const name = shown?.project.projectName ?? projectName;
  usePageTitle(name === null || isMissing ? PRODUCT : `${isolated(name)} | ${PRODUCT}`);
  if (isMissing) return <NoProject />;
  if (shown !== null) return <ProjectWorkspace parts={shown} user={user} page={page} />;
  if (page.error !== null) return <ProjectFailed sentence={errorMessage(page.error)} isPending={page.isFetching} onRetry={() => void page.refetch()} />;
  return <ProjectSkeleton projectName={projectName} />;
}

/** The page of a project, the user's own or another's. */
export function ProjectPage() {
  const { projectId = '' } = useParams();
  const { user } = useSession();
  return user === null ? null : <Loaded key={projectId} projectId={projectId} user={user} />;
}
