import type { ToastListProps } from './toast-list';
import styles from './toasts.module.css';

/** The messages alone, each with a button that dismisses it. */
export const PlainToasts = ({ queue, onLeave }: ToastListProps) => (
  <ol className={styles.toasts}>
    {queue.map(({ id, message }) => (
      <li key={id} className={styles.toast}>
        <span className="grow">{message}</span>
        <button type="button" className="link" onClick={() => onLeave(id)}>
          Dismiss
        </button>
      </li>
    ))}
  </ol>
);
