import { isRouteErrorResponse, useRouteError } from 'react-router-dom';
import { isAbort, sentenceOf } from '../shared/api/api-errors';
import { Button } from '../shared/ui/button';
import './page-state.css';

/** The messages of different browsers for a chunk that could not be fetched. */
const PART_MISSING = /dynamically imported module|importing a module script|preload/i;

function sentenceFor(error: unknown): string {
  if (error instanceof Error && PART_MISSING.test(error.message)) return 'A part of the page could not be loaded. Are you offline?';
  if (isRouteErrorResponse(error) || isAbort(error)) return 'This page failed to load.';
  return sentenceOf(error);
}

/** Shown instead of a page that failed. */
export function PageFailed() {
  const error = useRouteError();
  return (
    <main className="page-state" role="alert">
      <h1 className="wide h-page">Something went wrong</h1>
      <p>{sentenceFor(error)}</p>
      <Button onPress={() => window.location.reload()}>Retry</Button>
    </main>
  );
}
