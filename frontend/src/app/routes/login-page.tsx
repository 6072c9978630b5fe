import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ResetLink } from '../../features/front-door/reset-link';
import { prefersReducedMotion } from '../../shared/hooks/use-media';
import { LoginForm } from '../../shared/session/login-form';
import { useSession } from '../../shared/session/session-provider';
import { paths } from '../paths';
import { FrontPage } from './front-page';

const SLIDE_MS = 140;

/** The form slides away before the reset page opens, unless the user prefers reduced motion. */
function useSlideToReset() {
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!isLeaving) return undefined;
    const timer = setTimeout(() => void navigate(paths.passwordReset), prefersReducedMotion() ? 0 : SLIDE_MS);
    return () => clearTimeout(timer);
  }, [isLeaving, navigate]);
  return { isLeaving, leave: () => setLeaving(true) };
}

/** The login page. */
export function LoginPage() {
  const { isLeaving, leave } = useSlideToReset();
  const { askForInvite } = useSession();
  const foot = (
    <>
      {' No account yet? '}
      <button type="button" className="link" onClick={askForInvite}>
        Request Invite
      </button>
    </>
  );
  return (
    <FrontPage heading="Log In" end="contact" isLeaving={isLeaving}>
      <LoginForm besidePassword={<ResetLink onLeave={leave} />} foot={foot} />
    </FrontPage>
  );
}
