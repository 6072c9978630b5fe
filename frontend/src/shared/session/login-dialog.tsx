import { Dialog } from '../ui/dialog';
import { LoginForm } from './login-form';
import { useSession } from './session-provider';

/** The login above a page that stays as it is, with all that was typed. */
export function LoginDialog() {
  const { loginAsked, closeLogin } = useSession();
  const hasEnded = loginAsked === 'ended';
  return (
    <Dialog title="Log In" size="s" isOpen={loginAsked !== null} onClose={closeLogin}>
      <p className="soft">{hasEnded ? 'Your session has ended. Log in again to go on; what you typed is still here.' : 'Please sign in.'}</p>
      <LoginForm offersGuest={!hasEnded} />
    </Dialog>
  );
}
