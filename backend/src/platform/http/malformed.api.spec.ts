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

/** Sends octets as they are and gives every answer until the server ends the connection. */
async function answersTo(text: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(text, 'latin1');
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += String(chunk);
  return answer;
}

const HOST = 'Host: localhost\r\nConnection: close\r\n';
const JSON_HOST = `${HOST}Content-Type: application/json\r\n`;
const post = (headers: string, body = '{}'): string => `POST /api/auth/login HTTP/1.1\r\n${JSON_HOST}${headers}\r\n${body}`;

describe('what is no request', () => {
  test.each<[what: string, text: string, code: ProblemCode]>([
    ['an unknown method', `FOO /api/comments HTTP/1.1\r\n${HOST}\r\n`, 'request.malformed'],
    ['octets of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'request.malformed'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'request.malformed'],
    ['a version that is none', 'GET /health/live HTTP/9.9\r\nHost: x\r\n\r\n', 'request.malformed'],
    ['lines that end in half', 'GET /health/live HTTP/1.1\nHost: x\n\n', 'request.malformed'],
    ['a header over two lines', `GET /health/live HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`, 'request.malformed'],
    ['a zero octet in the path', `GET /api/\0 HTTP/1.1\r\n${HOST}\r\n`, 'request.malformed'],
    ['no Host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 'request.malformed'],
    ['two Hosts', `GET /health/live HTTP/1.1\r\n${HOST}Host: b\r\n\r\n`, 'request.malformed'],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n'), 'request.malformed'],
    ['the same length twice', post('Content-Length: 2\r\nContent-Length: 2\r\n'), 'request.malformed'],
    ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 'request.malformed'],
    ['chunks and another coding', post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'), 'request.malformed'],
    ['a length below zero', post('Content-Length: -2\r\n'), 'request.malformed'],
    ['a chunk of no size', post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'), 'request.malformed'],
    ['an expectation that nobody has', post('Expect: nonsense\r\nContent-Length: 2\r\n'), 'request.malformed'],
    ['an address of 20 kB', `GET /api/${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 'request.headers-too-large'],
    ['a header of 20 kB', `GET /health/live HTTP/1.1\r\n${HOST}X-A: ${'b'.repeat(20_000)}\r\n\r\n`, 'request.headers-too-large'],
  ])('%s is refused in the form of every problem, once, and the connection ends', async (_what, text, code) => {
    const answer = await answersTo(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${statusOf(code)} ${STATUS_CODES[statusOf(code)]}`);
    expect(head).toMatch(/^content-type: application\/problem\+json; charset=utf-8$/im);
    const { instance: _where, ...problem } = JSON.parse(body) as Problem;
    expect(problem).toEqual({ type: 'about:blank', title: STATUS_CODES[statusOf(code)], status: statusOf(code), code, detail: detailOf(code) });
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2);
  });

  test('a second request hidden behind a first is answered by nobody', async () => {
    const hidden = `GET /api/auth/session HTTP/1.1\r\n${HOST}\r\n`;
    const answer = await answersTo(post(`Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${hidden}`));
    expect(answer.split('HTTP/1.1 ').slice(1)).toEqual([expect.stringMatching(/^400 /)]);
  });
});

describe('a body', () => {
  const sent = (who: Person, body: Uint8Array | string, headers: Record<string, string> = {}) =>
    who.send('POST', '/api/projects/newProject', { body, headers: { 'Content-Type': 'application/json', ...headers } });

  test.each([
    ['a latin-1 letter', Buffer.from('{"submission":{"projectName":"caf\xe9"}}', 'latin1')],
    ['half a character', Buffer.from('{"submission":{"projectName":"\xe2\x82"}}', 'latin1')],
    ['UTF-16', Buffer.from('{"submission":{"projectName":"x"}}', 'utf16le')],
  ])('with %s is no JSON', async (_what, body) => {
    expectRefused(await sent(ana, body), 'request.broken-json');
  });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'x-unknown'])('that is packed (%s) is not unpacked', async (encoding) => {
    expectRefused(await sent(ana, '{}', { 'Content-Encoding': encoding }), 'request.media-type');
  });

  test('that is too large is told to those alone who may send one', async () => {
    const body = JSON.stringify({ submission: { projectName: 'x'.repeat(600 * 1024) } });
    const guest = await app.guest();
    expectRefused(await sent(app.anonymous as Person, body), 'auth.required');
    expectRefused(await sent(guest, body), 'guest.read-only');
    expectRefused(await sent(ana, body), 'request.too-large');
    expectRefused(await sent(ana, body.slice(0, 512 * 1024)), 'request.broken-json');
  });

  test('that says it is too large is refused before it came', async () => {
    const headers = `${JSON_HOST}Authorization: Bearer ${ana.token ?? ''}\r\nContent-Length: 99999999999\r\n`;
    expect(await answersTo(`POST /api/projects/newProject HTTP/1.1\r\n${headers}\r\n{`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('that a call does not look at is refused all the same when it is too large', async () => {
    expectRefused(
      await ana.send('POST', '/api/media/removeProject/x', { body: `"${'x'.repeat(600 * 1024)}"`, headers: { 'Content-Type': 'application/json' } }),
      'request.too-large',
    );
  });
});
