import { expect } from '@jest/globals';
import { detailOf, type Problem, type ProblemCode, type ProblemExtras, statusOf } from '@roughmix/contracts/shared/problems.js';
import { STATUS_CODES } from 'node:http';

/** A response; `body` is the parsed JSON, or the text if it is not JSON. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
type HeaderFields = Readonly<Record<string, string>>;
interface Sent {
  readonly body?: NonNullable<RequestInit['body']>;
  readonly headers?: HeaderFields;
}

/** Calls the running program like a non-browser client; `token` is its session. */
export class TestClient {
  constructor(
    readonly url: string,
    readonly token: string | null = null,
  ) {}

  get<Body = unknown>(path: string, headers: HeaderFields = {}): Promise<Answer<Body>> {
    return this.call('GET', path, { headers });
  }

  post<Body = unknown>(path: string, body: unknown = {}, headers: HeaderFields = {}): Promise<Answer<Body>> {
    return this.call('POST', path, { body, headers });
  }

  put<Body = unknown>(path: string, body: unknown = {}, headers: HeaderFields = {}): Promise<Answer<Body>> {
    return this.call('PUT', path, { body, headers });
  }

  delete<Body = unknown>(path: string, headers: HeaderFields = {}): Promise<Answer<Body>> {
    return this.call('DELETE', path, { headers });
  }

  /** A call with a JSON body, or without one. */
  async call<Body>(method: Method, path: string, { body, headers = {} }: { body?: unknown; headers?: HeaderFields } = {}): Promise<Answer<Body>> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.send<Body>(method, path, { ...json, headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers } });
  }

  /** A call with any body. */
  async send<Body>(method: Method, path: string, init: Sent = {}): Promise<Answer<Body>> {
    const answer = await this.raw(method, path, init);
    const text = await answer.text();
    const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '');
    return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as Body };
  }

  /** A call that adds nothing but the session. */
  raw(method: Method, path: string, init: Sent = {}): Promise<Response> {
    const session: HeaderFields = this.token === null ? {} : { Authorization: `Bearer ${this.token}` };
    const streamed = init.body instanceof ReadableStream ? { duplex: 'half' } : {};
    return fetch(new URL(path, this.url), { method, redirect: 'manual', ...init, ...streamed, headers: { ...session, ...init.headers } } as RequestInit);
  }
}

/** The body of a response that must have succeeded. */
export function bodyOf<Body>(answer: Answer<Body>): Body {
  if (answer.status >= 300) throw new Error(`refused: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The readiness response once no store is reported as not writable: on a busy machine a probe may exceed its two seconds. */
export async function readinessOf<Body extends { readonly status: string }>(client: TestClient): Promise<Answer<Body>> {
  for (;;) {
    const answer = await client.get<Body>('/health/ready');
    if (answer.body.status !== 'not-writable') return answer;
  }
}

/** The header with which the browser that got a response sends its cookies back. */
export const cookiesOf = ({ headers }: Pick<Answer, 'headers'>): { readonly Cookie: string } => ({
  Cookie: headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; '),
});

/** Expects exactly this problem, with caching disabled. */
export function expectRefused(answer: Answer, code: ProblemCode, extras: ProblemExtras = {}): void {
  const instance: unknown = expect.any(String);
  const problem: Omit<Problem, 'instance'> = {
    type: 'about:blank',
    title: STATUS_CODES[statusOf(code)] ?? '',
    status: statusOf(code),
    code,
    detail: detailOf(code),
    ...extras,
  };
  expect({ status: answer.status, body: answer.body }).toEqual({ status: statusOf(code), body: { instance, ...problem } });
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

/** `200`, or `404 comment.not-found`: a response in short form, for tables. */
export function statusAndCode({ status, body }: Answer): string {
  const code: unknown = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  return status >= 400 && typeof code === 'string' ? `${status} ${code}` : String(status);
}

/** The sorted property names of an object, to check exact shapes. */
export const keysOf = (thing: object | null | undefined): readonly string[] => Object.keys(thing ?? {}).toSorted();
