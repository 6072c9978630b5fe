import { Dialog } from '../ui/dialog';
import { LoginForm } from './login-form';
import { useSession } from './session-provider';

const ENDED = 'Your session has ended. Log in again to continue. What you typed is still here.';
const GUEST_ENDED = 'Your session has ended. Continue as a guest, or log in.';

/** Login dialog over the current page, which keeps its state. A guest whose session ended can continue as a guest. */
export function LoginDialog() {
  const { loginReason, closeLogin, user } = useSession();
  const hasEnded = loginReason === 'ended';
  const wasGuest = user?.isGuest === true;
  return (
    <Dialog title="Log In" size="s" isOpen={loginReason !== null} onClose={closeLogin}>
      <p className="soft">{hasEnded ? (wasGuest ? GUEST_ENDED : ENDED) : 'Please sign in.'}</p>
      <LoginForm offersGuest={!hasEnded || wasGuest} autoFocus {...(user === null || wasGuest ? {} : { knownEmail: user.email })} />
    </Dialog>
  );
}
