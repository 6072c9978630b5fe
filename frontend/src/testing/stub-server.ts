/// <reference types="node" />
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TODO_PATHS } from '@roughmix/contracts/todos/todo.paths.js';

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The parsed JSON body; undefined for other bodies. */
  readonly body: unknown;
}
/** A response: JSON, or `bytes` if given. 'hang up' closes the connection without a response. */
export type Answer = { readonly status?: number; readonly json?: unknown; readonly bytes?: Uint8Array; readonly headers?: Record<string, string> } | 'hang up';
/** A route is a method and a path pattern, such as 'GET /api/projects/:uid'. */
export type Routes = Record<string, (requests: ReceivedRequest, ids: readonly string[]) => Answer | Promise<Answer>>;

export interface StubServer {
  readonly origin: string;
  /** Every request, in order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** The same, once all requests sent before this call have arrived: to assert that nothing was sent. */
  readonly settledRequests: () => Promise<readonly ReceivedRequest[]>;
  /** Adds or replaces routes. */
  readonly answer: (routes: Routes) => void;
  /** Answers pending requests first: otherwise they would be retried against the server of the next test. */
  readonly close: () => Promise<void>;
}

const CORS = {
  'Access-Control-Allow-Origin': 'http://localhost',
  'Access-Control-Allow-Headers': '*, content-type, idempotency-key, x-after-position, x-upload',
  'Access-Control-Allow-Methods': '*, PUT',
};

async function read(request: IncomingMessage): Promise<ReceivedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  const isJson = request.headers['content-type']?.includes('json') === true && text !== '';
  return { method: request.method ?? 'GET', path: request.url ?? '/', headers: request.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

function write(response: ServerResponse, answer: Exclude<Answer, 'hang up'>): void {
  const status = answer.status ?? (answer.json === undefined && answer.bytes === undefined ? 204 : 200);
  const type = answer.bytes ? 'application/octet-stream' : status >= 400 ? 'application/problem+json' : 'application/json';
  response.writeHead(status, { ...CORS, 'Content-Type': type, ...answer.headers });
  response.end(answer.bytes ?? (answer.json === undefined ? undefined : JSON.stringify(answer.json)));
}

const matcher = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/?]+)')}(?:\\?.*)?$`);

const SETTLED_PATH = '/by-now';
/** What parts of many pages ask for by themselves. Without a route of its own it is answered with nothing, and not recorded. */
const UNRECORDED: readonly (readonly [RegExp, Answer])[] = [
  [matcher(`POST ${TODO_PATHS.reminders}`), { json: { reminders: [], reminderTodos: {} } }],
  [matcher('GET /api/site'), { json: { supportEmail: null, limits: { audioBytes: 48_000_000, pickerBytes: 31_457_280, trashDays: 30 } } }],
  [matcher('GET /api/media/:id/plays'), { json: { plays: 0, seconds: 0, listeners: [] } }],
  [matcher('GET /api/notifications/:uid'), { json: { notifications: [], counts: { other: 0, groups: 0, messages: 0, byGroup: {} }, next: null, position: 0 } }],
];

/** A small HTTP server on a free port with canned responses; a `base` element points the page's URLs to it. */
export async function startStubServer(first: Routes): Promise<StubServer> {
  const routes: Routes = { ...first };
  const requests: ReceivedRequest[] = [];
  const pending = new Set<ServerResponse>();
  const answerTo = async (one: ReceivedRequest): Promise<Answer> => {
    const line = `${one.method} ${one.path}`;
    const key = Object.keys(routes).find((route) => matcher(route).test(line));
    const unrecorded = key === undefined ? UNRECORDED.find(([route]) => route.test(line)) : undefined;
    if (unrecorded !== undefined) return unrecorded[1];
    requests.push(one);
    const route = key === undefined ? undefined : routes[key];
    if (key === undefined || route === undefined) return { status: 404, json: { code: 'route.not-found', detail: line, status: 404 } };
    return route(one, matcher(key).exec(line)?.slice(1) ?? []);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const one = await read(request).catch((error: unknown) => {
      if (request.complete) throw error;
      return null; // aborted by the page
    });
    if (one === null) return;
    if (one.path === SETTLED_PATH) return write(response, {});
    const answer = await answerTo(one);
    if (answer === 'hang up') request.socket.destroy();
    else write(response, answer);
  };
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, CORS).end();
    else void serve(request, response);
    pending.add(response);
    response.once('close', () => pending.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const base = document.head.appendChild(Object.assign(document.createElement('base'), { href: origin }));
  const settledRequests = async () => {
    await fetch(`${origin}${SETTLED_PATH}`);
    return requests;
  };
  const close = async () => {
    base.remove();
    await Promise.all([...pending].map((response) => new Promise((resolve) => response.once('close', resolve))));
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  return { origin, requests, settledRequests, answer: (more) => void Object.assign(routes, more), close };
}
