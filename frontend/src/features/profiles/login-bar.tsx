import { Lock } from 'lucide-react';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import styles from './profiles.module.css';

/** Tells visitors without a session what they could do with one. The login opens over the page, which they stay on. */
export function LoginBar({ name }: { readonly name: string }) {
  const { requireAccount } = useSession();
  return (
    <section className={styles.loginBar} aria-label="Log in">
      <Icon of={Lock} size={14} />
      <span className="grow">Log in to follow {name} and to open these projects.</span>
      <Button size="s" variant="outline" onPress={requireAccount}>
        Log In
      </Button>
    </section>
  );
}
