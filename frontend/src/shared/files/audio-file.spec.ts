import { expect, test } from '@jest/globals';
import { audioFileProblem } from './audio-file';

const NOT_AUDIO = 'Needs to be an audio file';
const AIFF = 'AIFF files are currently not supported. :/';
const CLOUD = "Cloud files aren't allowed. Download locally first";
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
  ['memo.mov', 'video/quicktime', 2_000, null],
  ['memo.3gp', 'video/3gpp', 2_000, null],
  ['take.opus', '', 2_000, null],
  ['unknown', '', 2_000, NOT_AUDIO],
])('%s of type %s with %d bytes: %s', (name, type, size, problem) => {
  expect(audioFileProblem({ name, type, size })).toBe(problem);
});
