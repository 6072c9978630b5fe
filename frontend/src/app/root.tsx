import { lazy, Suspense } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import { useSession } from '../shared/session/session-provider';
import { RouteChanges } from './route-changes';

const LoginDialog = lazy(async () => ({ default: (await import('../shared/session/login-dialog')).LoginDialog }));

/** Around every page: shows the login dialog over the page. */
export function Root() {
  const { loginReason } = useSession();
  return (
    <>
      <Outlet />
      {loginReason !== null && (
        <Suspense fallback={null}>
          <LoginDialog />
        </Suspense>
      )}
      <RouteChanges />
      <ScrollRestoration />
    </>
  );
}
