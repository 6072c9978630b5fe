import { beforeEach, expect, test } from '@jest/globals';
import type { SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import { QueryClient } from '@tanstack/react-query';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { handle } from '../live/handlers';
import { sessionQuery } from '../session/session-query';
import { erasedPeopleLive } from './erased-people.live';

const [bob, cleo] = [personCalled('Bob'), personCalled('Cleo')];
const removed = {
  ...bob,
  username: '[removed user]',
  firstName: '',
  lastName: '',
  smallPhoto: '/api/users/bob/photo',
  largePhoto: '/api/users/bob/photo',
  photoURL: '/api/users/bob/photo',
};

let cache: QueryClient;
beforeEach(() => {
  cache = new QueryClient();
  const session: SessionAnswer = { user: selfCalled('Ana', { connections: { bob: 1, cleo: 2 }, blocked: ['bob', 'cleo'], position: 5 }), staffRole: null };
  cache.setQueryData(sessionQuery.queryKey, session);
});

const erase = () => handle(erasedPeopleLive.handlers, cache, { type: 'UserErased', actorUid: null, commandId: null, position: 9, ids: ['bob'] });
const cached = (key: string) => cache.getQueryData([key]);

test('an erased person’s name and face leave every cached list', () => {
  cache.setQueryData(
    ['comments'],
    [
      { _id: 'c1', user: bob, content: 'Louder' },
      { _id: 'c2', user: cleo, content: 'Yes' },
    ],
  );
  cache.setQueryData(['todos'], [{ _id: 't1', user: cleo, completedBy: bob, parentOwner: bob }]);
  cache.setQueryData(['project'], projectCalled('Low Tide', bob, { addedUsers: [cleo, bob] }));
  erase();
  expect(cached('comments')).toEqual([
    { _id: 'c1', user: removed, content: 'Louder' },
    { _id: 'c2', user: cleo, content: 'Yes' },
  ]);
  expect(cached('todos')).toEqual([{ _id: 't1', user: cleo, completedBy: removed, parentOwner: removed }]);
  expect(cached('project')).toMatchObject({ owner: { ...removed, name: '[removed user]' }, addedUsers: [cleo, removed], versions: [{ uploader: removed }] });
});

test('mentions of them follow, and a text that only contains their name stays', () => {
  cache.setQueryData(['members'], [bob]);
  cache.setQueryData(['comments'], [{ _id: 'c1', user: cleo, content: '%MENTION_Bob_END% or Bob, %MENTION_Cleo_END%' }]);
  erase();
  expect(cached('comments')).toEqual([{ _id: 'c1', user: cleo, content: '%MENTION_[removed user]_END% or Bob, %MENTION_Cleo_END%' }]);
});

test('what does not contain them stays the same object', () => {
  const peaks = { values: new Int8Array(4) };
  const comments = [{ _id: 'c1', user: cleo, content: 'Yes' }];
  cache.setQueryData(['comments'], comments);
  cache.setQueryData(['peaks'], peaks);
  erase();
  expect([cached('comments'), cached('peaks')]).toEqual([comments, peaks]);
  expect(cached('comments')).toBe(comments);
  expect(cached('peaks')).toBe(peaks);
});

test('they leave the user’s connections and blocked people', () => {
  erase();
  expect(cache.getQueryData(sessionQuery.queryKey)?.user.blocked).toEqual(['cleo']);
  expect(cache.getQueryData(sessionQuery.queryKey)?.user.connections).toEqual({ cleo: 2 });
});
