import { beforeEach, expect, test } from '@jest/globals';
import type { SelfView, SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import { QueryClient } from '@tanstack/react-query';
import { selfCalled } from '../../testing/people-and-projects';
import { handle } from '../live/handlers';
import { sessionQuery } from './session-query';
import { sessionLive } from './session.live';

let cache: QueryClient;
beforeEach(() => {
  cache = new QueryClient();
  const before: SessionAnswer = { user: selfCalled('Ana', { position: 5 }), staffRole: 'support' };
  cache.setQueryData(sessionQuery.queryKey, before);
});

const receive = (view: SelfView) =>
  handle(sessionLive.handlers, cache, { type: 'UserEdited', actorUid: view.uid, commandId: null, position: view.position, view });
const session = () => cache.getQueryData(sessionQuery.queryKey);

test('a profile that was changed in another tab replaces the signed-in user', () => {
  const user = selfCalled('Ana', { username: 'Anouk', position: 6 });
  receive(user);
  expect(session()).toEqual({ user, staffRole: 'support' });
});

test('the newest position wins', () => {
  receive(selfCalled('Ana', { username: 'Older', position: 4 }));
  expect(session()?.user.username).toBe('Ana');
});

test('after another sign-in, a push for the user before changes nothing', () => {
  receive(selfCalled('Bob', { position: 9 }));
  expect(session()?.user.uid).toBe('ana');
  cache.setQueryData(sessionQuery.queryKey, null);
  receive(selfCalled('Ana', { position: 9 }));
  expect(session()).toBeNull();
});
