import styles from './progress-bar.module.css';

export interface ProgressBarProps {
  readonly label: string;
  /** 0 to 1; left out while it is not known. */
  readonly done?: number;
}

/** For files and rebuilds; lists use a skeleton. */
export function ProgressBar({ label, done }: ProgressBarProps) {
  return <progress className={styles.bar} aria-label={label} max={1} value={done === undefined ? undefined : Math.min(1, Math.max(0, done))} />;
}
