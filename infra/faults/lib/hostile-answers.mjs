const FORM = new Set(['type', 'title', 'status', 'code', 'detail', 'instance', 'limit', 'field', 'errors']);
/** Signs of leaked internals. */
const INSIDE =
  /node_modules|\bat (?:async )?[\w.]+ \(|\.js:\d+|SQLITE|ENOENT|EACCES|TypeError|RangeError|Cannot read prop|is not a function|\/backend\/|blobs\/|vault\.db/;

/**
 * What is wrong with an answer to any request; null if nothing.
 * @param {string[]} secrets must not appear in any answer to this caller
 */
export function wrongIn({ status, headers, text }, secrets) {
  if (status === null) return null;
  if (status === 0) return `no answer (${text})`;
  if (status >= 500 && !(status === 503 && headers['retry-after'] !== undefined)) return `${status}: ${text.slice(0, 200)}`;
  const secret = secrets.find((each) => text.includes(each));
  if (secret !== undefined) return `says ${secret.slice(0, 12)}…`;
  if (Object.keys(headers).some((name) => name.startsWith('access-control-'))) return 'has a CORS header';
  if (headers['x-content-type-options'] !== 'nosniff') return `${status} without nosniff`;
  return status >= 400 && text !== '' ? wrongProblem({ status, headers, text }) : null;
}

function wrongProblem({ status, headers, text }) {
  if (headers['content-type'] !== 'application/problem+json; charset=utf-8') return `${status} as ${headers['content-type']}`;
  const plain = headers['content-encoding'] === undefined ? text : null;
  if (plain === null) return null;
  const { instance: _theirs, ...problem } = JSON.parse(plain);
  if (problem.status !== status || problem.type !== 'about:blank' || typeof problem.code !== 'string' || problem.code === 'internal')
    return `${status} with ${plain.slice(0, 200)}`;
  if (Object.keys(problem).some((name) => !FORM.has(name))) return `a problem with ${Object.keys(problem).join(', ')}`;
  return INSIDE.test(JSON.stringify(problem)) ? `leaks internals: ${plain.slice(0, 300)}` : null;
}

/** The same for the raw bytes of a connection, which may hold several answers. */
export function wrongInBytes(text) {
  if (text === '') return null;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
  if (Number.isNaN(status)) return `not an HTTP answer: ${text.slice(0, 80)}`;
  if (status >= 500) return `${status}: ${text.slice(0, 200)}`;
  const [head = '', body = ''] = text.split('\r\n\r\n');
  // The socket server refuses WebSocket handshakes with a line of text.
  if (status >= 400 && !/application\/problem\+json/i.test(head) && !/sec-websocket|text\/html/i.test(head))
    return `${status} as ${/content-type: .*/i.exec(head)?.[0]}: ${body.slice(0, 100)}`;
  return INSIDE.test(body) ? `leaks internals: ${body.slice(0, 300)}` : null;
}
