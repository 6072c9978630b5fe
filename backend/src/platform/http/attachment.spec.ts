import { describe, expect, test } from '@jest/globals';
import { attachment } from './attachment.js';

describe('the Content-Disposition of a download', () => {
  test.each([
    ['mix.wav', `attachment; filename="mix.wav"; filename*=UTF-8''mix.wav`],
    ['Größe 5%.wav', `attachment; filename="Gr__e 5_.wav"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%205%25.wav`],
    [`a"b'c(d)*.wav`, `attachment; filename="a_b'c(d)*.wav"; filename*=UTF-8''a%22b%27c%28d%29%2A.wav`],
    ['../../songs/mix.wav', `attachment; filename="mix.wav"; filename*=UTF-8''mix.wav`],
    ['C:\\songs\\mix.wav', `attachment; filename="mix.wav"; filename*=UTF-8''mix.wav`],
    ['songs/ /', `attachment; filename="songs"; filename*=UTF-8''songs`],
    ['AC/DC live.wav', `attachment; filename="AC_DC live.wav"; filename*=UTF-8''AC_DC%20live.wav`],
    ['line\r\nbreak\u202e\0.wav', `attachment; filename="linebreak.wav"; filename*=UTF-8''linebreak.wav`],
    ['🎸.wav', `attachment; filename="__.wav"; filename*=UTF-8''%F0%9F%8E%B8.wav`],
    ['half\ud83c.wav', `attachment; filename="half_.wav"; filename*=UTF-8''half%EF%BF%BD.wav`],
  ])('%j', (filename, header) => expect(attachment(filename)).toBe(header));
});
