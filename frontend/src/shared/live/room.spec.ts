import { expect, test } from '@jest/globals';
import { advance, createRoom, markEntered } from './room';
import { projectTopic } from './topics';

test('a position is complete once a later push arrives, or once the server says so', () => {
  const room = createRoom(projectTopic('p1'), 12);
  markEntered(room, 40);
  expect(room.handledUpTo).toBe(40);
  advance(room, 43);
  advance(room, 43);
  expect(room.handledUpTo).toBe(42);
  advance(room, 44);
  expect(room.handledUpTo).toBe(43);
});

test('before the room is entered, a push does not complete any position', () => {
  const room = createRoom(projectTopic('p1'), 12);
  advance(room, 43);
  expect(room.handledUpTo).toBe(12);
  markEntered(room, 20);
  expect(room.handledUpTo).toBe(20);
});
