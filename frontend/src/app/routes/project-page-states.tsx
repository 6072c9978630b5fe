import { FileX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { buttonClass } from '../../shared/ui/button-class';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { Skeleton, SkeletonRows } from '../../shared/ui/skeleton';
import { paths } from '../paths';
import './project-page.css';

/** The page's shape while it loads: a zero line where the wave will be, never a wave that is none. */
export const ProjectSkeleton = () => (
  <div className="project-skeleton" aria-busy="true" aria-label="Loading the project" role="status">
    <div className="head">
      <Skeleton width="4rem" height="0.6rem" />
      <Skeleton width="min(18rem, 60vw)" height="1.75rem" />
    </div>
    <div className="transport-place">
      <Skeleton width="2.75rem" height="2.75rem" />
      <Skeleton width="6rem" height="1.75rem" />
    </div>
    <div className="wave-place" />
    <div className="bench-place" />
    <div className="project-work">
      <SkeletonRows label="Comments" rows={4} />
    </div>
  </div>
);

/** For who may not see it, a project does not exist. */
export const NoProject = () => (
  <main className="project-state">
    <h1 className="sr">Project</h1>
    <EmptyState
      icon={FileX}
      isPage
      action={
        <Link className={buttonClass({})} to={paths.projects}>
          Projects
        </Link>
      }
    >
      {detailOf('project.not-found')}
    </EmptyState>
  </main>
);

export const ProjectFailed = ({ sentence, isPending, onRetry }: { readonly sentence: string; readonly isPending: boolean; readonly onRetry: () => void }) => (
  <main className="project-state">
    <h1 className="sr">Project</h1>
    <ErrorState isPending={isPending} onRetry={onRetry}>
      {sentence}
    </ErrorState>
  </main>
);
