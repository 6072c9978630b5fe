import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { isProblem, sentenceOf } from '../../shared/api/api-errors';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { useSession } from '../../shared/session/session-provider';
import { targetOf } from './project-page-address';
import { useProjectPage } from './project-page-data';
import { NoProject, ProjectFailed, ProjectSkeleton } from './project-page-states';
import { ProjectWorkspace } from './project-page-workspace';

function Loaded({ projectId, user }: { readonly projectId: Id; readonly user: SelfView }) {
  const { page, parts } = useProjectPage(projectId, user.uid);
  const [search] = useSearchParams();
  const target = useMemo(() => targetOf(search), [search]);
  if (page.error !== null && isProblem(page.error, 'project.not-found')) return <NoProject />;
  if (parts !== null) return <ProjectWorkspace parts={parts} user={user} target={target} onRights={() => void page.refetch()} />;
  if (page.error !== null) return <ProjectFailed sentence={sentenceOf(page.error)} isPending={page.isFetching} onRetry={() => void page.refetch()} />;
  return <ProjectSkeleton />;
}

/** One project, whoever it belongs to. */
export function ProjectPage() {
  usePageTitle('Roughmix Studio beta');
  const { projectId = '' } = useParams();
  const { user } = useSession();
  return user === null ? null : <Loaded key={projectId} projectId={projectId} user={user} />;
}
