import { Skeleton } from '../../shared/ui/skeleton';
import '../../shared/wave/mini-wave.css';

const ROWS = [1, 2, 3, 4, 5];

/** Placeholder in the shape of the list. */
export const ProjectsSkeleton = () => (
  <div className="projects-skeleton" role="status" aria-label="Loading projects">
    {ROWS.map((row) => (
      <div key={row} className="proj">
        <div className="stack">
          <Skeleton width="60%" height="1rem" />
          <Skeleton width="80%" height="0.6rem" />
        </div>
        <div className="mini-wave zero" />
        <div className="last">
          <Skeleton width="5rem" height="0.6rem" />
        </div>
      </div>
    ))}
  </div>
);
