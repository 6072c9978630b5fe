import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TodoPush } from '@roughmix/contracts/live.js';
import { QueryClient } from '@tanstack/react-query';
import { handle } from '../../shared/live/handlers';
import { aTodo, aTodoReply, completed } from '../../testing/todos';
import { todoLive } from './todo.live';
import { takeTodos, todosOf } from './todos.queries';

let cache: QueryClient;
const facts = { projectId: 'p1', actorUid: 'bob', commandId: null };
const handlers = todoLive(() => undefined);
const push = (message: TodoPush) => handle(handlers, cache, message);
const list = () => cache.getQueryData(todosOf('p1').queryKey) ?? [];
const ids = () => list().map(({ _id }) => _id);

beforeEach(() => {
  cache = new QueryClient();
  cache.setQueryData(todosOf('p1').queryKey, [aTodo('t1', { replyIds: ['r1'] }), aTodoReply('r1', 't1')]);
});

describe('live todos', () => {
  test('are added once, however often the push arrives', () => {
    const added = { ...facts, type: 'TodoAdded', view: aTodo('t2', { position: 11 }), position: 11 } as const;
    push(added);
    push(added);
    expect(ids()).toEqual(['t1', 'r1', 't2']);
  });

  test('that are older than the cache are ignored: a completed todo stays completed', () => {
    push({ ...facts, type: 'TodoCompleted', view: aTodo('t1', completed({ position: 20 })), position: 20 });
    push({ ...facts, type: 'TodoEdited', view: aTodo('t1', { position: 15 }), position: 15 });
    expect(list()[0]).toMatchObject({ completed: true, position: 20 });
  });

  test('that are removed stay removed when an older answer arrives', () => {
    push({ ...facts, type: 'TodoRemoved', ids: ['t1', 'r1'], position: 30 });
    takeTodos(cache, 'p1', [aTodo('t1', { position: 25 })]);
    expect(ids()).toEqual([]);
  });

  test('a removed reply is no longer named by its todo, whose own push follows', () => {
    push({ ...facts, type: 'TodoReplyRemoved', ids: ['r1'], position: 30 });
    expect(list()).toMatchObject([{ _id: 't1', replyIds: [] }]);
  });

  test('are ignored until the page has loaded', () => {
    cache.clear();
    push({ ...facts, type: 'TodoAdded', view: aTodo('t2'), position: 11 });
    expect(cache.getQueryData(todosOf('p1').queryKey)).toBeUndefined();
  });
});
