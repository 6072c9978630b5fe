import { request } from 'node:http';
import { connect } from 'node:net';
import { between, oneOf } from './seeded.mjs';
import { oddHeaders, oddId, oddBytes, valueOf } from './hostile-values.mjs';

const DEADLINE_MS = 20_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'SEARCH'];

/** Every operation in the program's OpenAPI document. */
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { requestBody }]) => ({
      path,
      method: method.toUpperCase(),
      schema: requestBody?.content?.['application/json']?.schema,
    })),
  );
}

/** A request to an operation with a random path, headers and body. */
export function oddRequest(random, operation, known) {
  const path = operation.path.replaceAll(/\{\w+\}/g, () => oddId(random, known.ids));
  const query = random() < 0.1 ? `?${oneOf(random, ['level=-1', 'level=1e9', 'q[]=x', 'q=%ff', 'projectId=%00', 'a=b'.repeat(500), '__proto__[x]=1'])}` : '';
  const method = random() < 0.05 ? oneOf(random, METHODS) : operation.method;
  const body = ['GET', 'HEAD', 'TRACE'].includes(method) ? undefined : oddBytes(random, valueOf(random, operation.schema ?? {}, known));
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return { method, path: path + query, body, headers: { ...type, ...(random() < 0.4 ? oddHeaders(random) : {}) } };
}

/** Sends a request. Status 0: no answer. */
export function send(url, { method, path, body, headers }, token) {
  const session = token === null ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const failed = (error) => resolve({ status: 0, headers: {}, text: String(error) });
    try {
      const { hostname, port } = new URL(url);
      const sent = request({
        hostname,
        port,
        method,
        path,
        headers: { ...session, ...(body ? { 'content-length': body.length } : {}), ...headers },
        agent: false,
      });
      sent.setTimeout(DEADLINE_MS, () => sent.destroy(new Error('no answer in time')));
      sent.once('error', failed);
      sent.once('response', (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.once('error', failed);
        answer.once('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString('latin1') }));
      });
      sent.end(body);
    } catch (error) {
      // Node's client refuses to send it.
      resolve({ status: null, headers: {}, text: String(error) });
    }
  });
}

/** Malformed requests: broken lines, wrong lengths, two in one, random bytes. */
export function oddHttpBytes(random) {
  const host = 'Host: localhost\r\nConnection: close\r\n';
  const hidden = `GET /api/auth/session HTTP/1.1\r\n${host}\r\n`;
  const json = `${host}Content-Type: application/json\r\n`;
  const whole = oneOf(random, [
    `POST /api/auth/login HTTP/1.1\r\n${json}Content-Length: 2\r\nContent-Length: ${between(random, 3, 99)}\r\n\r\n{}`,
    `POST /api/auth/login HTTP/1.1\r\n${json}Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `POST /api/auth/login HTTP/1.1\r\n${json}Transfer-Encoding: ${oneOf(random, ['chunked, chunked', 'xchunked', ' chunked', 'gzip, chunked'])}\r\n\r\n0\r\n\r\n${hidden}`,
    `POST /api/auth/login HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n${oneOf(random, ['ffffffffffffffff', '-1', '0x2', '2;a=b', ''])}\r\n{}\r\n0\r\n\r\n`,
    `GET ${oneOf(random, ['*', '//', '/%', '/\\..\\x', 'http://evil.example/api/auth/session', `/${'a/'.repeat(4_000)}`, '/api/../api/auth/session'])} HTTP/1.1\r\n${host}\r\n`,
    `GET /health/live HTTP/${oneOf(random, ['0.9', '1.2', '2', '11'])}\r\n${host}\r\n`,
    `GET /health/live HTTP/1.1\r\n${oneOf(random, ['Host:\r\nHost: a\r\n', '', 'Host: a b\r\n', `Host: ${'a'.repeat(9_000)}\r\n`])}Connection: close\r\n\r\n`,
    `GET /health/live HTTP/1.1\r\n${host}${'a: b\r\n'.repeat(between(random, 1, 3_000))}\r\n`,
    `GET /socket.io/?EIO=${between(random, 0, 9)}&transport=websocket&sid=x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${oneOf(random, ['x', 'dGhlIHNhbXBsZSBub25jZQ=='])}\r\n\r\n`,
  ]);
  if (random() < 0.5) return Buffer.from(whole, 'latin1');
  const bytes = Buffer.from(whole, 'latin1');
  for (let times = between(random, 1, 6); times > 0; times -= 1) bytes[between(random, 0, bytes.length - 1)] = between(random, 0, 255);
  return bytes;
}

/** Writes bytes on a new connection and returns the answer up to its end or the timeout. */
export function sendBytes(port, bytes, milliseconds = 3_000) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(text));
    socket.setTimeout(milliseconds, () => socket.destroy());
    // The server would wait for the rest of an incomplete request, so its sender gives up.
    socket.write(bytes, () => setTimeout(() => socket.end(), 100));
  });
}

/** Connections that fall silent after a few bytes. @returns their state; `end()` closes the remaining ones */
export function halfOpen(port, count) {
  const starts = [
    '',
    'GET /health/live HTTP/1.1\r\nHost: x\r\nX-A: ',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  ];
  const sockets = Array.from({ length: count }, (_, at) => {
    const kind = at % starts.length;
    const socket = connect(port, '127.0.0.1');
    const one = { kind, socket, isOpen: true };
    socket.on('error', () => undefined).once('close', () => (one.isOpen = false));
    socket.resume().write(starts[kind]);
    return one;
  });
  return { open: (kind) => sockets.filter((one) => one.isOpen && one.kind === kind).length, end: () => sockets.forEach(({ socket }) => socket.destroy()) };
}
