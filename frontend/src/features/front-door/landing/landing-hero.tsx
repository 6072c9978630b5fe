import { Headphones } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../../shared/api/api-errors';
import { useSession } from '../../../shared/session/session-provider';
import { Button } from '../../../shared/ui/button';
import { classNames } from '../../../shared/ui/class-names';
import { useToast } from '../../../shared/ui/toast-queue';
import { InvitePopover } from '../invite-popover';
import styles from './landing.module.css';

function GuestButton() {
  const { signInAsGuest } = useSession();
  const toaster = useToast();
  const [isPending, setPending] = useState(false);
  const enter = async () => {
    setPending(true);
    try {
      await signInAsGuest();
    } catch (error) {
      toaster.show({ kind: 'failed', message: errorMessage(error) });
      setPending(false);
    }
  };
  return (
    <Button variant="outline" size="l" icon={Headphones} isPending={isPending} onPress={() => void enter()}>
      Look around as a guest
    </Button>
  );
}

/** What Roughmix is, in one sentence, and how to get in. */
export const LandingHero = () => (
  <div className={classNames(styles.column, styles.hero)}>
    <h1>
      Your rough mix has something to say. <span>Let the band answer.</span>
    </h1>
    <div>
      <p>
        Upload the track, mark the bar that bothers you, and finish the song with the people you trust. Every version, comment and todo stays on the waveform,
        where the music is.
      </p>
      <div className={styles.actions}>
        <InvitePopover variant="primary" edge="start" />
        <GuestButton />
      </div>
    </div>
  </div>
);
