import { FileX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import { buttonClass } from '../../shared/ui/button-class';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { Skeleton, SkeletonRows } from '../../shared/ui/skeleton';
import { paths } from '../paths';
import './project-page.css';

/** The layout of the page while it loads, with a flat line in place of the wave, and the name if it is known. */
export const ProjectSkeleton = ({ projectName }: { readonly projectName: string | null }) => (
  <div className="project-skeleton" aria-busy="true" aria-label="Loading the project" role="status">
    <div className="head">
      <Skeleton width="4rem" height="0.6rem" />
      {projectName === null ? <Skeleton width="min(18rem, 60vw)" height="1.75rem" /> : <span className="wide h-project">{projectName}</span>}
    </div>
    <div className="transport-place">
      <Skeleton width="2.75rem" height="2.75rem" />
      <Skeleton width="6rem" height="1.75rem" />
    </div>
    <div className="wave-place" />
    <div className="panel-skeleton" />
    <div className="project-work">
      <SkeletonRows label="Comments" rows={4} />
    </div>
  </div>
);

/** For projects that do not exist, or that the user may not see: the two look the same. Guests may need an account. */
export function NoProject() {
  const { user, askForInvite } = useSession();
  const ways = (
    <span className="flex wrap">
      <Link className={buttonClass({})} to={paths.projects}>
        Projects
      </Link>
      {user?.isGuest === true && (
        <Button variant="outline" onPress={askForInvite}>
          Request Invite
        </Button>
      )}
    </span>
  );
  return (
    <main className="project-state">
      <h1 className="sr">Project</h1>
      <EmptyState icon={FileX} isPage action={ways}>
        {detailOf('project.not-found')}
      </EmptyState>
    </main>
  );
}

export const ProjectFailed = ({ sentence, isPending, onRetry }: { readonly sentence: string; readonly isPending: boolean; readonly onRetry: () => void }) => (
  <main className="project-state">
    <h1 className="sr">Project</h1>
    <ErrorState isPending={isPending} onRetry={onRetry}>
      {sentence}
    </ErrorState>
  </main>
);
