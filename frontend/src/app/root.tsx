import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { useSession } from '../shared/session/session-provider';
import { useEver } from '../shared/ui/use-ever';
import { RouteChanges } from './route-changes';
import { ScrollPositions } from './scroll-positions';

const LoginDialog = lazy(async () => ({ default: (await import('../shared/session/login-dialog')).LoginDialog }));
const InviteDialog = lazy(async () => ({ default: (await import('../features/front-door/invite-dialog')).InviteDialog }));

/** Around every page: shows the login and the request for an invite over the page. */
export function Root() {
  const { loginReason, isInviteOpen } = useSession();
  const wantsInvite = useEver(isInviteOpen);
  return (
    <>
      <Outlet />
      {loginReason !== null && (
        <Suspense fallback={null}>
          <LoginDialog />
        </Suspense>
      )}
      {wantsInvite && (
        <Suspense fallback={null}>
          <InviteDialog />
        </Suspense>
      )}
      <RouteChanges />
      <ScrollPositions />
    </>
  );
}
