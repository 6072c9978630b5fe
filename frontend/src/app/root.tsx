import { Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { usePushEnd } from '../features/push/use-push-upkeep';
import { useSession } from '../shared/session/session-provider';
import { DIALOG, part } from '../shared/ui/part';
import { useEver } from '../shared/ui/use-ever';
import { RouteChanges } from './route-changes';
import { ScrollPositions } from './scroll-positions';

interface WithClose {
  readonly onClose: () => void;
}

const LoginDialog = part<WithClose>(async () => ({ default: (await import('../shared/session/login-dialog')).LoginDialog }), DIALOG);
const InviteDialog = part<WithClose>(async () => ({ default: (await import('../features/front-door/invite-dialog')).InviteDialog }), DIALOG);

/** Around every page: shows the login and the request for an invite over the page. */
export function Root() {
  const { loginReason, closeLogin, isInviteOpen, closeInvite } = useSession();
  const wantsInvite = useEver(isInviteOpen);
  usePushEnd();
  return (
    <>
      <Outlet />
      {loginReason !== null && (
        <Suspense fallback={null}>
          <LoginDialog onClose={closeLogin} />
        </Suspense>
      )}
      {wantsInvite && (
        <Suspense fallback={null}>
          <InviteDialog onClose={closeInvite} />
        </Suspense>
      )}
      <RouteChanges />
      <ScrollPositions />
    </>
  );
}
