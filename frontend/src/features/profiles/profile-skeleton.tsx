import { Skeleton, SkeletonRows } from '../../shared/ui/skeleton';
import styles from './profiles.module.css';

/** Placeholder in the shape of a profile; its lines appear after 300 ms. */
export const ProfileSkeleton = () => (
  <>
    <div className={styles.cover} />
    <main className={styles.page} aria-busy="true">
      <div className={styles.identity}>
        <span className="av av-112" />
        <div className="grow" role="status" aria-label="Loading profile">
          <Skeleton width="14rem" height="1.6rem" />
        </div>
      </div>
      <div className={styles.columns}>
        <SkeletonRows label="Loading connections" />
        <SkeletonRows label="Loading projects" />
      </div>
    </main>
  </>
);
