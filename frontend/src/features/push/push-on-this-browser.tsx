import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '../../shared/api/api-errors';
import { Button } from '../../shared/ui/button';
import { FieldError } from '../../shared/ui/field';
import { PushFailed, type PushState } from './push-here';
import styles from './push.module.css';
import { pushQuery, usePermissionChange, useTurnPush } from './push.queries';

const TEXTS: Readonly<Record<PushState, string>> = {
  'no-https': 'Push notifications need HTTPS, and this page was opened without it. The administrator of this site can set it up.',
  unsupported: 'This browser cannot receive push notifications. On an iPhone or iPad, add Roughmix to the home screen and open it from there.',
  denied:
    'This browser blocks notifications from Roughmix. To allow them, open the settings of this site (the icon beside the address) and set Notifications to Allow.',
  off: 'Off. Turn them on to hear about mentions, replies, invitations and reminders even while Roughmix is closed. The browser asks for your permission first.',
  on: 'On, also while Roughmix is closed, until you sign out.',
};

const messageOf = (error: unknown): string => (error instanceof PushFailed ? error.message : errorMessage(error));

/** Turns push notifications on and off in this browser. */
export function PushOnThisBrowser({ uid }: { readonly uid: Uid }) {
  const { data: state } = useQuery(pushQuery(uid));
  const turn = useTurnPush(uid);
  usePermissionChange(uid);
  if (state === undefined) return null;
  return (
    <div className={styles.here} role="group" aria-label="On this browser">
      <b>On this browser</b>
      <p className="hint" role="status">
        {TEXTS[state]}
      </p>
      {turn.error !== null && <FieldError>{messageOf(turn.error)}</FieldError>}
      {(state === 'on' || state === 'off') && (
        <Button size="s" variant="outline" isPending={turn.isPending} onPress={() => turn.mutate(state === 'off')}>
          {state === 'on' ? 'Turn off' : 'Turn on'}
        </Button>
      )}
    </div>
  );
}
