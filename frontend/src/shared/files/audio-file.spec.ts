import { expect, test } from '@jest/globals';
import { audioFileProblem, audioHint } from './audio-file';

const NOT_AUDIO = 'Needs to be an audio file';
const AIFF = 'AIFF files are currently not supported. :/';
const CLOUD = "Cloud files aren't allowed. Download locally first";
const LIMITS = { audioBytes: 48_000_000, pickerBytes: 31_457_280, trashDays: 30 };
const TOO_LARGE = 'Preview file must be smaller than 48 MB';

test.each([
  ['mix.wav', 'audio/wav', 47_999_999, null],
  ['mix.wav', 'audio/wav', 48_000_000, TOO_LARGE],
  ['mix.mp3', 'audio/mpeg', 0, CLOUD],
  ['voice memo 14.aiff', 'audio/aiff', 2_000, AIFF],
  ['voice memo 14.AIF', '', 2_000, AIFF],
  ['loop', 'audio/x-aiff', 2_000, AIFF],
  ['notes.txt', 'text/plain', 2_000, NOT_AUDIO],
  ['clip.mp4', 'video/mp4', 2_000, NOT_AUDIO],
  ['song.txt.mp3', 'text/plain', 2_000, NOT_AUDIO],
  ['take.opus', '', 2_000, null],
  ['unknown', '', 2_000, NOT_AUDIO],
])('%s of type %s with %d bytes: %s', (name, type, size, problem) => {
  expect(audioFileProblem({ name, type, size }, LIMITS)).toBe(problem);
});

test.each([
  [64_000_000, '64', 64_000_000],
  [50 * 1_048_576, '50', 52_428_800],
  [47_500_000, '47.5', 47_500_000],
])('with a limit of %d bytes the hint and the message name %s MB', (audioBytes, megabytes, size) => {
  const limits = { ...LIMITS, audioBytes };
  expect(audioHint(limits)).toBe(`audio, smaller than ${megabytes} MB`);
  expect(audioFileProblem({ name: 'mix.wav', type: 'audio/wav', size }, limits)).toBe(`Preview file must be smaller than ${megabytes} MB`);
  expect(audioFileProblem({ name: 'mix.wav', type: 'audio/wav', size: size - 1 }, limits)).toBeNull();
});

test('as long as the limit is unknown, no file is too large', () => {
  expect(audioHint(undefined)).toBe('audio');
  expect(audioFileProblem({ name: 'mix.wav', type: 'audio/wav', size: 1e9 }, undefined)).toBeNull();
});
