import { expect, test } from '@jest/globals';
import { namelessKey } from '@roughmix/contracts/versions/audio-file-key.js';
import { audioKey } from './version-keys.js';

const FILE = { ownerUid: 'u', projectId: 'p', versionId: 'v', number: { major: 1, minor: 0 } };

test('the key of a file has its number and not its name', () => {
  expect(audioKey(FILE)).toBe('u/ProjectMediaFiles/p/v/1_0-audio');
  expect(audioKey({ ...FILE, upload: 'u3' })).toBe('u/ProjectMediaFiles/p/v/u3/1_0-audio');
});

test.each([
  ['u/ProjectMediaFiles/p/v/1_0-low tide.wav', 'u/ProjectMediaFiles/p/v/1_0-audio'],
  ['u/ProjectMediaFiles/p/v/u3/12_34-2_1-Überarbeitung.wav', 'u/ProjectMediaFiles/p/v/u3/12_34-audio'],
  ['u/ProjectMediaFiles/p/v/1_0-audio', 'u/ProjectMediaFiles/p/v/1_0-audio'],
  ['u/ProjectMediaFiles/p/v/peaks-u1/0', 'u/ProjectMediaFiles/p/v/peaks-u1/0'],
  ['u/ProjectMediaFiles/p/c/u4.png', 'u/ProjectMediaFiles/p/c/u4.png'],
  ['u/Images/ProfilePictures/1_0-a.png', 'u/Images/ProfilePictures/1_0-a.png'],
  ['tutorial/First light rough.wav', 'tutorial/First light rough.wav'],
])('a file that an event names as %s is stored as %s', (key, stored) => {
  expect(namelessKey(key)).toBe(stored);
});
