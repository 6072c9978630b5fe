import { describe, expect, test } from '@jest/globals';
import { isForeignOrigin, publicUrlOf } from './origin.js';

const LOCAL = 'http://localhost:3000';
const REMOTE = 'https://mix.example';

describe("a request is foreign when a browser sent it from another site's page", () => {
  test.each<[publicUrl: string, headers: Record<string, string>, foreign: boolean]>([
    [LOCAL, {}, false],
    [LOCAL, { origin: 'http://localhost:3000' }, false],
    [LOCAL, { origin: 'http://127.0.0.1:3000' }, false],
    [LOCAL, { origin: 'http://[::1]:3000' }, false],
    ['http://127.0.0.1:3000', { origin: 'http://localhost:3000' }, false],
    ['http://[::1]:3000', { origin: 'http://localhost:3000' }, false],
    [LOCAL, { origin: 'http://localhost:3001' }, true],
    [LOCAL, { origin: 'http://localhost' }, true],
    [LOCAL, { origin: 'https://localhost:3000' }, true],
    [LOCAL, { origin: 'http://localhost:3000.evil.example' }, true],
    [LOCAL, { origin: 'http://localhost.evil.example:3000' }, true],
    [LOCAL, { origin: 'null' }, true],
    [LOCAL, { origin: '' }, true],
    [LOCAL, { 'sec-fetch-site': 'same-origin' }, false],
    [LOCAL, { 'sec-fetch-site': 'none' }, false],
    [LOCAL, { 'sec-fetch-site': 'same-site' }, true],
    [LOCAL, { 'sec-fetch-site': 'cross-site' }, true],
    [LOCAL, { 'sec-fetch-site': '' }, true],
    [LOCAL, { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, true],
    [LOCAL, { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }, true],
    [LOCAL, { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }, false],
    [REMOTE, { origin: 'https://mix.example' }, false],
    [REMOTE, { origin: 'http://mix.example' }, true],
    [REMOTE, { origin: 'https://www.mix.example' }, true],
    [REMOTE, { origin: 'https://localhost' }, true],
  ])('%s with %j: %s', (publicUrl, headers, foreign) => {
    expect(isForeignOrigin(headers, publicUrl)).toBe(foreign);
  });
});

test('without PUBLIC_URL the public URL is localhost', () => {
  expect(publicUrlOf({ PUBLIC_URL: null, PORT: 4567 })).toBe('http://localhost:4567');
  expect(publicUrlOf({ PUBLIC_URL: REMOTE, PORT: 4567 })).toBe(REMOTE);
});
