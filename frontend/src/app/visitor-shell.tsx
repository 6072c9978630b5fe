import { Link, Outlet } from 'react-router-dom';
import { useSession } from '../shared/session/session-provider';
import { Button } from '../shared/ui/button';
import { Logo } from '../shared/ui/logo';
import { paths } from './paths';

/** The frame of pages that visitors may see. The login opens over the page, which they stay on. */
export function VisitorShell() {
  const { requireAccount, askForInvite } = useSession();
  return (
    <>
      <header className="top">
        <Link to={paths.landing}>
          <Logo />
        </Link>
        <span className="grow" />
        <Button variant="quiet" className="only-l" onPress={requireAccount}>
          Log In
        </Button>
        <Button variant="outline" className="only-l" onPress={askForInvite}>
          Request Invite
        </Button>
      </header>
      <Outlet />
    </>
  );
}
