import { useParams } from 'react-router-dom';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { isProblem, errorMessage } from '../../shared/api/api-errors';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { useSession } from '../../shared/session/session-provider';
import { useProjectPage } from './project-page-data';
import { NoProject, ProjectFailed, ProjectSkeleton } from './project-page-states';
import { ProjectWorkspace } from './project-page-workspace';

const PRODUCT = 'Roughmix Studio beta';

function Loaded({ projectId, user }: { readonly projectId: Id; readonly user: SelfView }) {
  const { page, parts } = useProjectPage(projectId, user.uid);
  const isMissing = page.error !== null && isProblem(page.error, 'project.not-found');
  const shown = isMissing ? null : parts;
  // The only component of the page that sets the title: effects of children run first, so a parent's title would replace theirs.
  usePageTitle(shown === null ? PRODUCT : `${shown.project.projectName} | ${PRODUCT}`);
  if (isMissing) return <NoProject />;
  if (shown !== null) return <ProjectWorkspace parts={shown} user={user} onRights={() => void page.refetch()} />;
  if (page.error !== null) return <ProjectFailed sentence={errorMessage(page.error)} isPending={page.isFetching} onRetry={() => void page.refetch()} />;
  return <ProjectSkeleton />;
}

/** The page of a project, the user's own or another's. */
export function ProjectPage() {
  const { projectId = '' } = useParams();
  const { user } = useSession();
  return user === null ? null : <Loaded key={projectId} projectId={projectId} user={user} />;
}
