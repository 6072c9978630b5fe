import { expect, test } from '@jest/globals';
import { audioKey, sanitisedName } from './version-keys.js';

test.each([
  ['take 1.wav', 'take 1.wav'],
  ['By-Product (rough mix) – 3 Überarbeitung.wav', 'By-Product (rough mix) – 3 Überarbeitung.wav'],
  ['../../../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\evil.wav', 'evil.wav'],
  ['/absolute/song.wav', 'song.wav'],
  ['a\0b.wav', 'ab.wav'],
  ['song\u202egpj.wav', 'songgpj.wav'],
  ['zero\u200bwidth.wav', 'zerowidth.wav'],
  ['two\u2028lines.wav', 'twolines.wav'],
  ['no\ufffecharacter\uffff.wav', 'nocharacter.wav'],
  ['half\ud83c.wav', 'half.wav'],
  ['song\r\nSet-Cookie: a.wav', 'songSet-Cookie_ a.wav'],
  ['a"b*c:d<e>f?g|h%i#j.wav', 'a_b_c_d_e_f_g_h_i_j.wav'],
  ['.', 'audio'],
  ['..', 'audio'],
  ['...wav', 'wav'],
  ['.htaccess', 'htaccess'],
  ['   ', 'audio'],
  ['', 'audio'],
  ['%2e%2e%2fx.wav', '_2e_2e_2fx.wav'],
  [`${'ä'.repeat(200)}.wav`, `${'ä'.repeat(58)}.wav`],
  [`x.${'y'.repeat(300)}`, `x.${'y'.repeat(118)}`],
])('%j is stored as %j', (filename, kept) => {
  expect(sanitisedName(filename)).toBe(kept);
});

test('file names that some systems reserve are safe, because a number precedes them', () => {
  const file = { ownerUid: 'u', projectId: 'p', versionId: 'v', number: { major: 1, minor: 0 }, filename: 'CON' };
  expect(audioKey(file)).toBe('u/ProjectMediaFiles/p/v/1_0-CON');
});
