import { STATUS_CODES } from 'node:http';
import { type ProblemCode, statusOf } from '@roughmix/contracts/shared/problems.js';
import { problemOf, RETRY_AFTER_SECONDS } from './problem.filter.js';
import { DATA_HEADERS } from './security-headers.js';

/** A whole HTTP response with a problem, for connections that no route answers. */
export function rawResponse(code: ProblemCode): string {
  const body = JSON.stringify(problemOf(code));
  const retryAfter = RETRY_AFTER_SECONDS[code];
  const headers = {
    ...DATA_HEADERS,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statusOf(code)} ${STATUS_CODES[statusOf(code)] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
