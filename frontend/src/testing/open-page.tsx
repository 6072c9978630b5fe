import { jest } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { configure, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { Providers } from '../app/providers';
import { routes } from '../app/router';
import type { Live } from '../shared/live/live';
import { createStore, type HereByProject, type LiveState } from '../shared/live/stores';

// What a page loads late is compiled when it is first wanted.
configure({ asyncUtilTimeout: 8_000 });
jest.setTimeout(30_000);

/** No socket: what happens over it is for the specs of the live connection. */
const still = (started: () => void): Live => ({
  state: createStore<LiveState>('idle'),
  here: createStore<HereByProject>(new Map()),
  start: () => {
    started();
    return () => undefined;
  },
  join: () => () => undefined,
  listen: () => () => undefined,
});

/** The whole page at an address, as it is in the browser but without a socket; failed questions are not asked again. */
export function openPage(address: string) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' }, mutations: { networkMode: 'always' } } });
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  let connections = 0;
  render(
    <Providers cache={cache} live={still(() => void (connections += 1))}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { router, cache, connections: () => connections, address: () => `${router.state.location.pathname}${router.state.location.search}` };
}
