import { expect, test } from '@jest/globals';
import { completeBefore, createRoom, markEntered } from './room';
import { projectTopic } from './topics';

test('a position is complete once a later push arrives, or once the server says so', () => {
  const room = createRoom(projectTopic('p1'), 12);
  markEntered(room, 40);
  expect(room.handledUpTo).toBe(40);
  completeBefore(room, 43);
  completeBefore(room, 43);
  expect(room.handledUpTo).toBe(42);
  completeBefore(room, 44);
  expect(room.handledUpTo).toBe(43);
});

test('before the room is entered, a push does not complete any position', () => {
  const room = createRoom(projectTopic('p1'), 12);
  completeBefore(room, 43);
  expect(room.handledUpTo).toBe(12);
  markEntered(room, 20);
  expect(room.handledUpTo).toBe(20);
});
