import { Dialog } from '../ui/dialog';
import { LoginForm } from './login-form';
import { useSession } from './session-provider';

const ENDED = 'Your session has ended. Log in again to continue. What you typed is still here.';
const GUEST_ENDED = 'Your session has ended. Continue as a guest, or log in.';

/** The login above a page that stays as it is, with all that was typed. Who was here comes back the way he came. */
export function LoginDialog() {
  const { loginAsked, closeLogin, user } = useSession();
  const hasEnded = loginAsked === 'ended';
  const wasGuest = user?.isGuest === true;
  return (
    <Dialog title="Log In" size="s" isOpen={loginAsked !== null} onClose={closeLogin}>
      <p className="soft">{hasEnded ? (wasGuest ? GUEST_ENDED : ENDED) : 'Please sign in.'}</p>
      <LoginForm offersGuest={!hasEnded || wasGuest} autoFocus {...(user === null || wasGuest ? {} : { knownEmail: user.email })} />
    </Dialog>
  );
}
