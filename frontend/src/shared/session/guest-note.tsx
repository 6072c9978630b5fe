import { basicDetailOf } from '@roughmix/contracts/shared/basic-problems.js';
import { useSession } from './session-provider';

/** In place of what only accounts can do: tells guests why it is missing, and offers them an invite. Nothing for others. */
export function GuestNote() {
  const { user, askForInvite } = useSession();
  if (user?.isGuest !== true) return null;
  return (
    <p className="soft">
      {basicDetailOf('guest.read-only')}{' '}
      <button type="button" className="link" onClick={askForInvite}>
        Request Invite
      </button>
    </p>
  );
}
