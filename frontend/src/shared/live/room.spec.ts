import { expect, test } from '@jest/globals';
import { createRoom, entered, moveOn } from './room';

test('a position is complete when a later one comes, or when the server says so', () => {
  const room = createRoom('p1', 12);
  entered(room, 40);
  expect(room.handledUpTo).toBe(40);
  moveOn(room, 43);
  moveOn(room, 43);
  expect(room.handledUpTo).toBe(42);
  moveOn(room, 44);
  expect(room.handledUpTo).toBe(43);
});

test('before the room is entered messages say nothing of what is complete', () => {
  const room = createRoom('p1', 12);
  moveOn(room, 43);
  expect(room.handledUpTo).toBe(12);
  entered(room, 20);
  expect(room.handledUpTo).toBe(20);
});
