import { useEffect } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router-dom';
import { isAbort, errorMessage } from '../shared/api/api-errors';
import { isCodeMissing, reloadForNewerBuild } from '../shared/api/newer-build';
import { Button } from '../shared/ui/button';
import './page-state.css';

function sentenceFor(error: unknown): string {
  if (isCodeMissing(error)) return 'A part of the page could not be loaded. Are you offline?';
  if (isRouteErrorResponse(error) || isAbort(error)) return 'This page failed to load.';
  return errorMessage(error);
}

/** Shown instead of a page that failed. If a newer build has replaced its code, the page is reloaded. */
export function PageFailed() {
  const error = useRouteError();
  useEffect(() => {
    if (isCodeMissing(error)) void reloadForNewerBuild();
  }, [error]);
  return (
    <main className="page-state" role="alert">
      <h1 className="wide h-page">Something went wrong</h1>
      <p>{sentenceFor(error)}</p>
      <Button onPress={() => window.location.reload()}>Retry</Button>
    </main>
  );
}
