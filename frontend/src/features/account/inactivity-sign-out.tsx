import { Timer } from 'lucide-react';
import { errorMessage } from '../../shared/api/api-errors';
import { useSession } from '../../shared/session/session-provider';
import { Banner } from '../../shared/ui/banner';
import { useToast } from '../../shared/ui/toast-queue';
import { useInactivity } from './use-inactivity';
import styles from './inactivity.module.css';

/** The message waits for the user, who is away. */
const STAYS_MS = 24 * 60 * 60 * 1_000;

/** Signs out after five minutes without activity, and warns before. */
export function InactivitySignOut() {
  const { signOut } = useSession();
  const toaster = useToast();
  const secondsLeft = useInactivity(async () => {
    try {
      await signOut();
    } catch (error) {
      toaster.show({ kind: 'warning', message: errorMessage(error) });
      throw error;
    }
    toaster.show({ kind: 'warning', message: 'You were signed out after 5 minutes without activity.', leavesAfterMs: STAYS_MS });
  });
  if (secondsLeft === null) return null;
  return (
    <div className={styles.warning}>
      {/* A screen reader would read each second. */}
      <Banner tone="warn" icon={Timer} end={<b aria-hidden="true" className="num">{`${secondsLeft} s`}</b>}>
        You will be signed out soon. Press a key or move the pointer to stay.
      </Banner>
    </div>
  );
}
