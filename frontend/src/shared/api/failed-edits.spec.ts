import { beforeEach, expect, test } from '@jest/globals';
import { createFailedEdits, type FailedEdits } from './failed-edits';

interface Changes {
  readonly label?: string;
  readonly start?: number;
}

const refused = new Error('refused');
const offline = new Error('offline');
let failed: FailedEdits<Changes>;
beforeEach(() => {
  failed = createFailedEdits<Changes>();
});

test('failed edits of an item are retried as one, with the newest value of each field', () => {
  failed.add({ id: 'a', changes: { label: 'Kick', start: 1 } }, refused);
  failed.add({ id: 'b', changes: { start: 7 } }, refused);
  failed.add({ id: 'a', changes: { start: 2 } }, offline);
  expect(failed.takeAll()).toEqual({
    error: offline,
    edits: [
      { id: 'a', changes: { label: 'Kick', start: 2 } },
      { id: 'b', changes: { start: 7 } },
    ],
  });
});

test('a field that a later edit saved is not retried', () => {
  failed.add({ id: 'a', changes: { label: 'Kick', start: 1 } }, refused);
  failed.supersede({ id: 'a', changes: { start: 2 } });
  expect(failed.takeAll()).toEqual({ error: refused, edits: [{ id: 'a', changes: { label: 'Kick' } }] });
});

test('nothing is reported when later edits saved everything', () => {
  failed.add({ id: 'a', changes: { start: 1 } }, refused);
  failed.supersede({ id: 'a', changes: { start: 2 } });
  expect(failed.takeAll()).toBeNull();
});

test('the failures of a burst of edits are reported once', () => {
  failed.add({ id: 'a', changes: { start: 1 } }, refused);
  failed.takeAll();
  expect(failed.takeAll()).toBeNull();
});
