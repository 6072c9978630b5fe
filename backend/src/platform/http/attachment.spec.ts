import { describe, expect, test } from '@jest/globals';
import { attachment } from './attachment.js';

describe('the Content-Disposition of a download', () => {
  test.each([
    ['mix.wav', `attachment; filename="mix.wav"; filename*=UTF-8''mix.wav`],
    ['Größe 5%.wav', `attachment; filename="Gr__e 5_.wav"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%205%25.wav`],
    [`a"b\\c'd(e)*.wav`, `attachment; filename="a_b_c'd(e)*.wav"; filename*=UTF-8''a%22b%5Cc%27d%28e%29%2A.wav`],
    ['line\r\nbreak.wav', `attachment; filename="line__break.wav"; filename*=UTF-8''line%0D%0Abreak.wav`],
    ['🎸.wav', `attachment; filename="__.wav"; filename*=UTF-8''%F0%9F%8E%B8.wav`],
    ['half\ud83c.wav', `attachment; filename="half_.wav"; filename*=UTF-8''half%EF%BF%BD.wav`],
  ])('%j', (filename, header) => expect(attachment(filename)).toBe(header));
});
