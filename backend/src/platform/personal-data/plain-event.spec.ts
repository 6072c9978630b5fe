import { expect, test } from '@jest/globals';
import type { StoredEvent } from '../../kernel/event.js';
import { plainEvent } from './plain-event.js';

test('sealed fields are left out at every depth, plain ones are unchanged', () => {
  const sealed = { $sealed: 'AAAA', by: 'project-1' };
  const meta = { actorUid: null, at: 1, commandId: 'c', correlationId: 'c', causationId: null };
  const data = { uid: 'u', name: sealed, list: [1, null, 'a'], invited: [{ uid: 'v', note: sealed }], to: { access: 3, text: sealed }, none: null };
  const event: StoredEvent = { id: 'i', type: 'T', data, meta, stream: 's', revision: 0, position: 1 };
  expect(plainEvent(event)).toEqual({ ...event, data: { uid: 'u', list: [1, null, 'a'], invited: [{ uid: 'v' }], to: { access: 3 }, none: null } });
});
