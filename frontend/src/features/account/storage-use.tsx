import { formatBytes } from '../../shared/format/bytes';
import { useQuota } from '../../shared/uploads/quota';
import styles from './storage-use.module.css';

/** How much the user's files take of what they may. */
export function StorageUse() {
  const quota = useQuota();
  if (quota === undefined) return null;
  const { used, limit } = quota.bytes;
  return (
    <section className={styles.use} aria-labelledby="storage-use">
      <h3 className="h-panel" id="storage-use">
        Storage
      </h3>
      <meter className={styles.meter} min={0} max={limit} value={Math.min(used, limit)} aria-labelledby="storage-use" />
      <span className="meta">
        {formatBytes(used)} of {formatBytes(limit)} used by your files; removed files count until they are deleted from the trash
      </span>
      <span className="meta">
        {quota.projects.used} of {quota.projects.limit} projects
      </span>
    </section>
  );
}
