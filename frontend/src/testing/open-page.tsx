import { QueryClient } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { createMemoryRouter, parsePath, RouterProvider } from 'react-router-dom';
import { Providers } from '../app/providers';
import { routes } from '../app/router';
import type { Live } from '../shared/live/live';
import { createStore, type HereByProject, type LiveState } from '../shared/live/stores';
// What a page loads late is compiled here, before any test begins: on a busy machine that takes longer than a test may wait.
import '../app/shell';
import '../app/routes/login-page';
import '../app/routes/projects-page';
import '../app/routes/project-page';
import '../features/comments/comments-panel';
import '../features/members/invite-users-dialog';
import '../features/members/project-users-dialog';
import '../features/player/whole-track-wave';
import '../features/projects/new-project-dialog';
import '../features/versions/new-version-dialog';
import '../features/versions/remove-version-dialog';
import '../shared/session/login-dialog';
import './surfaces';

/** No socket: what happens over it is for the specs of the live connection. */
export const still = (started: () => void): Live => ({
  state: createStore<LiveState>('idle'),
  here: createStore<HereByProject>(new Map()),
  start: () => {
    started();
    return () => undefined;
  },
  join: () => () => undefined,
  listen: () => () => undefined,
});

let pages = 0;

/** The whole page at an address, as it is in the browser but without a socket; failed questions are not asked again. */
export function openPage(address: string) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' }, mutations: { networkMode: 'always' } } });
  pages += 1;
  // Its own key: the router keeps where a page was scrolled to, from one test to the next.
  const router = createMemoryRouter(routes, { initialEntries: [{ ...parsePath(address), key: `page-${pages}` }] });
  let connections = 0;
  render(
    <Providers cache={cache} live={still(() => void (connections += 1))}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { router, cache, connections: () => connections, address: () => `${router.state.location.pathname}${router.state.location.search}` };
}
