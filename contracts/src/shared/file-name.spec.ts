import { expect, test } from '@jest/globals';
import { fileNameIn } from './file-name.js';

test.each([
  ['mix.wav', 'mix.wav'],
  ['AC/DC live.wav', 'AC_DC live.wav'],
  ['AC\\DC live.wav', 'AC_DC live.wav'],
  ['AC/DC/', 'AC_DC'],
  ['C:\\Users\\ana\\take.wav', 'take.wav'],
  ['C:/Users/ana/take.wav', 'take.wav'],
  ['C:\\fakepath\\take.wav', 'take.wav'],
  ['\\\\studio\\takes\\take.wav', 'take.wav'],
  ['/home/ana/take.wav', 'take.wav'],
  ['../../etc/passwd.wav', 'passwd.wav'],
  ['.\\takes\\take.wav', 'take.wav'],
  ['a/../../etc/passwd', 'a_.._.._etc_passwd'],
  ['song\u202egpj.wav', 'songgpj.wav'],
  ['\u202e../x.wav', 'x.wav'],
  ['a\0b\r\nc\u2028d.wav', 'abcd.wav'],
  ['👨\u200d👩\u200d👧.wav', '👨\u200d👩\u200d👧.wav'],
  ['/ /', ''],
  ['', ''],
])('%j is saved as %j', (sent, name) => expect(fileNameIn(sent)).toBe(name));
