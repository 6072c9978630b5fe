import { lazy, Suspense } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import { useSession } from '../shared/session/session-provider';
import { Button } from '../shared/ui/button';
import { PageLoading } from './page-loading';
import { RouteChanges } from './route-changes';
import './page-state.css';

const LoginDialog = lazy(async () => ({ default: (await import('../shared/session/login-dialog')).LoginDialog }));

/** The session could not be fetched. */
const Unreachable = ({ retry }: { readonly retry: () => void }) => (
  <main className="page-state" role="alert">
    <h1 className="wide h-page">Roughmix cannot be reached</h1>
    <p>Check your connection, then try again.</p>
    <Button onPress={retry}>Retry</Button>
  </main>
);

/** Around every page: waits for the session, and shows the login dialog over the page. */
export function Root() {
  const { status, loginReason, retry } = useSession();
  return (
    <>
      {status === 'loading' ? <PageLoading /> : status === 'failed' ? <Unreachable retry={retry} /> : <Outlet />}
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
