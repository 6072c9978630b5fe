import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { newcomer, type AccountServer, startAccountServer } from '../../testing/account-server';
import { renderFor } from '../../testing/with-session';
import { InactivitySignOut } from './inactivity-sign-out';

/** Requests need these. */
const REAL = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask', 'performance'] as const;
let server: AccountServer;
beforeEach(async () => {
  server = await startAccountServer(newcomer());
  jest.useFakeTimers({ doNotFake: [...REAL] });
});
afterEach(async () => {
  jest.useRealTimers();
  await server.close();
});

test('half a minute before the sign-out the page warns; afterwards it says what happened', async () => {
  server.answer({ 'POST /api/auth/logout': () => ({ status: 204 }) });
  renderFor(newcomer(), <InactivitySignOut />);
  act(() => jest.advanceTimersByTime(269_000));
  expect(screen.queryByText(/^You will be signed out soon/)).not.toBeInTheDocument();
  act(() => jest.advanceTimersByTime(1_000));
  expect(screen.getByText('You will be signed out soon. Press a key or move the pointer to stay.')).toBeInTheDocument();
  expect(screen.getByText('30 s')).toHaveAttribute('aria-hidden', 'true');
  act(() => jest.advanceTimersByTime(30_000));
  expect(await screen.findByText('You were signed out after 5 minutes without activity.')).toBeInTheDocument();
  expect(server.commands()).toEqual(['POST /api/auth/logout']);
});

test('a sign-out that fails says why', async () => {
  server.answer({
    'POST /api/auth/logout': () => ({
      status: 500,
      json: { type: 'about:blank', title: '', status: 500, code: 'internal', detail: 'Something went wrong on our side.' },
    }),
  });
  renderFor(newcomer(), <InactivitySignOut />);
  act(() => jest.advanceTimersByTime(300_000));
  await waitFor(() => expect(screen.getByText('Something went wrong on our side.')).toBeInTheDocument());
});
