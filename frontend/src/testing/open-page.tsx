import type { Push } from '@roughmix/contracts/live.js';
import type { UpdateMetrics } from '@roughmix/contracts/plays/play.api.js';
import { QueryClient } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { createMemoryRouter, parsePath, RouterProvider } from 'react-router-dom';
import { Providers } from '../app/providers';
import { routes } from '../app/router';
import { handle, type LiveSubscriber } from '../shared/live/handlers';
import type { Live } from '../shared/live/live';
import { createStore } from '../shared/hooks/store';
import type { LiveState, PresenceByTopic } from '../shared/live/stores';
// Compile lazily loaded parts before the tests start: on a busy machine this takes longer than a test may wait.
import '../app/signed-in-area';
import '../app/shell';
import '../app/routes/contact-page';
import '../app/routes/invite-page';
import '../app/routes/landing-page';
import '../app/routes/legal-pages';
import '../app/routes/login-page';
import '../app/routes/register-page';
import '../app/routes/reset-link-page';
import '../app/routes/reset-page';
import '../app/routes/unsubscribe-page';
import '../app/routes/welcome-page';
import '../features/account/picture-cropper';
import '../features/account/settings-dialog';
import '../app/routes/profile-page';
import '../app/routes/projects-page';
import '../app/routes/project-page';
import '../features/comments/comments-panel';
import '../features/front-door/invite-dialog';
import '../features/todos/todos-panel';
import '../features/members/invite-users-dialog';
import '../features/members/project-users-dialog';
import '../features/notes/notes-panel';
import '../features/player/now-playing';
import '../shared/wave/whole-track-wave';
import '../features/projects/new-project-dialog';
import '../features/versions/new-version-dialog';
import '../features/versions/remove-version-dialog';
import '../features/search/search-dialog';
import '../shared/session/login-dialog';
import './surfaces';

/** A live connection that never connects; the socket has its own specs. */
export const idleLive = (started: () => void, { reportPlayed = () => undefined, logout = () => Promise.resolve() }: Partial<Live> = {}): Live => ({
  state: createStore<LiveState>('idle'),
  presence: createStore<PresenceByTopic>(new Map()),
  start: () => {
    started();
    return () => undefined;
  },
  join: () => () => undefined,
  listen: () => () => undefined,
  logout,
  reportPlayed,
  tickChecklist: async () => null,
});

let pages = 0;

/** The whole page at a URL, without a socket; failed queries are not retried. Pushes reach the page by `push`. */
export function openPage(address: string) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' }, mutations: { networkMode: 'always' } } });
  pages += 1;
  // A unique key, because the router stores scroll positions across tests.
  const router = createMemoryRouter(routes, { initialEntries: [{ ...parsePath(address), key: `page-${pages}` }] });
  let connections = 0;
  let logouts = 0;
  const reports: UpdateMetrics[] = [];
  const subscribers = new Set<LiveSubscriber>();
  const subscribe = (subscriber: LiveSubscriber) => {
    subscribers.add(subscriber);
    return () => void subscribers.delete(subscriber);
  };
  const live = idleLive(() => void (connections += 1), { reportPlayed: (heard) => void reports.push(heard), logout: async () => void (logouts += 1) });
  render(
    <Providers cache={cache} live={{ ...live, listen: subscribe, join: (_topic, subscriber) => subscribe(subscriber) }}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return {
    router,
    cache,
    connections: () => connections,
    logouts: () => logouts,
    reports,
    /** A push from another tab, person or the system, to every part of the page that handles its type. */
    push: (push: Push) => act(() => subscribers.forEach(({ handlers }) => handle(handlers, cache, push))),
    address: () => `${router.state.location.pathname}${router.state.location.search}`,
  };
}
