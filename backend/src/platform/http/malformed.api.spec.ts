import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { detailOf, type Problem, type ProblemCode, statusOf } from '@roughmix/contracts/shared/problems.js';
import { STATUS_CODES } from 'node:http';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { expectRefused } from '../../testing/test-client.js';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person('Ana');
});
afterAll(() => app.stop());

/** Sends raw bytes and returns everything received until the server closes the connection. */
async function exchange(text: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(text, 'latin1');
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += String(chunk);
  return answer;
}

const HOST = 'Host: localhost\r\nConnection: close\r\n';
const JSON_HOST = `${HOST}Content-Type: application/json\r\n`;
const post = (headers: string, body = '{}'): string => `POST /api/auth/login HTTP/1.1\r\n${JSON_HOST}${headers}\r\n${body}`;

describe('a malformed request', () => {
  test.each<[what: string, text: string, code: ProblemCode]>([
    ['an unknown method', `FOO /api/comments HTTP/1.1\r\n${HOST}\r\n`, 'request.malformed'],
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'request.malformed'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'request.malformed'],
    ['an invalid version', 'GET /health/live HTTP/9.9\r\nHost: x\r\n\r\n', 'request.malformed'],
    ['lines that end without CR', 'GET /health/live HTTP/1.1\nHost: x\n\n', 'request.malformed'],
    ['a header over two lines', `GET /health/live HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`, 'request.malformed'],
    ['a zero byte in the path', `GET /api/\0 HTTP/1.1\r\n${HOST}\r\n`, 'request.malformed'],
    ['no Host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 'request.malformed'],
    ['two Hosts', `GET /health/live HTTP/1.1\r\n${HOST}Host: b\r\n\r\n`, 'request.malformed'],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n'), 'request.malformed'],
    ['the same length twice', post('Content-Length: 2\r\nContent-Length: 2\r\n'), 'request.malformed'],
    ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 'request.malformed'],
    ['chunks and another coding', post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'), 'request.malformed'],
    ['a negative length', post('Content-Length: -2\r\n'), 'request.malformed'],
    ['a chunk without a size', post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'), 'request.malformed'],
    ['an unknown expectation', post('Expect: nonsense\r\nContent-Length: 2\r\n'), 'request.malformed'],
    ['a URL of 20 kB', `GET /api/${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 'request.headers-too-large'],
    ['a header of 20 kB', `GET /health/live HTTP/1.1\r\n${HOST}X-A: ${'b'.repeat(20_000)}\r\n\r\n`, 'request.headers-too-large'],
  ])('%s is refused once, as a problem, and the connection is closed', async (_what, text, code) => {
    const answer = await exchange(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${statusOf(code)} ${STATUS_CODES[statusOf(code)]}`);
    expect(head).toMatch(/^content-type: application\/problem\+json; charset=utf-8$/im);
    const { instance: _instance, ...problem } = JSON.parse(body) as Problem;
    expect(problem).toEqual({ type: 'about:blank', title: STATUS_CODES[statusOf(code)], status: statusOf(code), code, detail: detailOf(code) });
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2);
  });

  test('a request smuggled behind another is never answered', async () => {
    const hidden = `GET /api/auth/session HTTP/1.1\r\n${HOST}\r\n`;
    const answer = await exchange(post(`Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${hidden}`));
    expect(answer.split('HTTP/1.1 ').slice(1)).toEqual([expect.stringMatching(/^400 /)]);
  });
});

describe('a body', () => {
  const postProject = (who: Person, body: Uint8Array | string, headers: Record<string, string> = {}) =>
    who.send('POST', '/api/projects/newProject', { body, headers: { 'Content-Type': 'application/json', ...headers } });

  test.each([
    ['a Latin-1 character', Buffer.from('{"submission":{"projectName":"caf\xe9"}}', 'latin1')],
    ['half a character', Buffer.from('{"submission":{"projectName":"\xe2\x82"}}', 'latin1')],
    ['UTF-16', Buffer.from('{"submission":{"projectName":"x"}}', 'utf16le')],
  ])('with %s is refused as invalid JSON', async (_what, body) => {
    expectRefused(await postProject(ana, body), 'request.broken-json');
  });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'x-unknown'])('that is compressed (%s) is refused, not decompressed', async (encoding) => {
    expectRefused(await postProject(ana, '{}', { 'Content-Encoding': encoding }), 'request.media-type');
  });

  test('that is too large is reported only to callers who may send one', async () => {
    const body = JSON.stringify({ submission: { projectName: 'x'.repeat(600 * 1024) } });
    const guest = await app.guest();
    expectRefused(await postProject(app.anonymous as Person, body), 'auth.required');
    expectRefused(await postProject(guest, body), 'guest.read-only');
    expectRefused(await postProject(ana, body), 'request.too-large');
    expectRefused(await postProject(ana, body.slice(0, 512 * 1024)), 'request.broken-json');
  });

  test('that is announced as too large is refused before it arrives', async () => {
    const headers = `${JSON_HOST}Authorization: Bearer ${ana.token ?? ''}\r\nContent-Length: 99999999999\r\n`;
    expect(await exchange(`POST /api/projects/newProject HTTP/1.1\r\n${headers}\r\n{`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('that is too large is refused even if the handler ignores it', async () => {
    expectRefused(
      await ana.send('POST', '/api/media/removeProject/x', { body: `"${'x'.repeat(600 * 1024)}"`, headers: { 'Content-Type': 'application/json' } }),
      'request.too-large',
    );
  });
});
