import type { Minimal } from '@roughmix/contracts/shared/answers.js';
import { COMMAND_ID_FORM } from '@roughmix/contracts/shared/ids.js';
import { detailOf, type Problem } from '@roughmix/contracts/shared/problems.js';
import { ApiProblem, OfflineError } from './api-errors';
import { newCommandId, rememberCommand } from './own-commands';

const DEADLINE_MS = 15_000;
/** Waits before the second and third try of a command whose outcome is unknown. */
const RETRY_WAITS_MS = [400, 1_600];
const LONGEST_WAIT_MS = 5_000;
const MINIMAL = { Prefer: 'return=minimal' };

export type CommandMethod = 'POST' | 'PUT' | 'DELETE';
export interface GetOptions {
  readonly signal?: AbortSignal | undefined;
  /** True where "nobody is signed in" is a usual answer and not the end of a session. */
  readonly mayBeNobody?: boolean;
  /** Asks for a brief answer where the server has one. */
  readonly isBrief?: boolean;
}
export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Keep it and send it again to try the same command once more; made anew when missing. */
  readonly commandId?: string;
  /** How often an unanswered command is sent again by itself: 2 when missing. */
  readonly retries?: 0 | 1 | 2;
  /** Also asks for the updated project (`updatedProject`), which is large: live messages carry most of its changes. */
  readonly wantsProject?: boolean;
}
/** What a command answered, the position of its last event (null without one) and the id it was sent under. */
export interface Sent<T> {
  readonly answer: T;
  readonly position: number | null;
  readonly commandId: string;
}

type SessionEnded = () => void;
const sessionListeners = new Set<SessionEnded>();

/** Calls `listener` whenever a call was refused because nobody is signed in; answers how to stop that. */
export function onSessionEnded(listener: SessionEnded): () => void {
  sessionListeners.add(listener);
  return () => void sessionListeners.delete(listener);
}

/** Says that the server no longer knows this session. */
export function sessionEnded(): void {
  for (const listener of sessionListeners) listener();
}

/** An address of the API, as an absolute one. */
export const addressOf = (path: string): string => new URL(path, document.baseURI).href;

async function ask(path: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    return await fetch(addressOf(path), { credentials: 'same-origin', ...init, signal: signal ? AbortSignal.any([signal, deadline]) : deadline });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new OfflineError(error);
  }
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const wait = Number.isFinite(retryAfter) ? retryAfter : null;
  if (response.headers.get('Content-Type')?.includes('json')) return new ApiProblem((await response.json()) as Problem, wait);
  const code = response.status === 503 || response.status === 502 || response.status === 504 ? 'store.away' : 'internal';
  return new ApiProblem({ type: 'about:blank', title: response.statusText, status: response.status, code, detail: detailOf(code) }, wait);
}

async function checked(response: Response, mayBeNobody = false): Promise<Response> {
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.problem.code === 'auth.required' && !mayBeNobody) sessionEnded();
  throw problem;
}

/** A body that breaks off is no answer either. */
async function bodyOf<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new OfflineError(error);
  }
}

const jsonOf = <T>(response: Response, signal: AbortSignal | undefined): Promise<T> =>
  bodyOf(async () => (response.status === 204 ? undefined : await response.json()) as T, signal);

const mayHaveFailed = (error: unknown): boolean => error instanceof OfflineError || (error instanceof ApiProblem && error.problem.status === 503);

function waitBefore(error: unknown, usual: number): number {
  const asked = error instanceof ApiProblem && error.retryAfter !== null ? error.retryAfter * 1_000 : usual;
  return Math.min(asked, LONGEST_WAIT_MS);
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(new DOMException('Given up.', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal?.addEventListener('abort', giveUp);
  });

async function again<T>(act: () => Promise<T>, waits: readonly number[], signal: AbortSignal | undefined): Promise<T> {
  const [next, ...rest] = waits;
  try {
    return await act();
  } catch (error) {
    if (next === undefined || !mayHaveFailed(error)) throw error;
    await pause(waitBefore(error, next), signal);
    return again(act, rest, signal);
  }
}

async function sendOnce<T>(method: CommandMethod, path: string, body: unknown, options: SendOptions & { readonly commandId: string }): Promise<Sent<T>> {
  const headers: Record<string, string> = { 'Idempotency-Key': options.commandId };
  if (options.wantsProject !== true) Object.assign(headers, MINIMAL);
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await checked(await ask(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) }, options.signal));
  const position = response.headers.get('X-Position');
  return { answer: await jsonOf<T>(response, options.signal), position: position === null ? null : Number(position), commandId: options.commandId };
}

/** Sends a command under one Idempotency-Key, again under the same one when no answer came. The answer is minimal unless the project is wanted. */
async function send<T>(method: CommandMethod, path: string, body: unknown, options: SendOptions & { readonly wantsProject: true }): Promise<Sent<T>>;
async function send<T>(
  method: CommandMethod,
  path: string,
  body?: unknown,
  options?: SendOptions & { readonly wantsProject?: false },
): Promise<Sent<Minimal<T>>>;
async function send<T>(method: CommandMethod, path: string, body?: unknown, options: SendOptions = {}): Promise<Sent<T>> {
  const commandId = options.commandId ?? newCommandId();
  if (!COMMAND_ID_FORM.test(commandId)) throw new RangeError(`no command id: ${commandId}`);
  rememberCommand(commandId);
  return again(() => sendOnce<T>(method, path, body, { ...options, commandId }), RETRY_WAITS_MS.slice(0, options.retries ?? 2), options.signal);
}

/**
 * Every call of the page.
 * @throws ApiProblem when the server refuses, OfflineError when no answer comes within 15 s, an AbortError when `signal` aborts
 */
export const api = {
  /** Asks for something. */
  get: async <T>(path: string, { signal, mayBeNobody, isBrief = false }: GetOptions = {}): Promise<T> =>
    jsonOf<T>(await checked(await ask(path, isBrief ? { headers: MINIMAL } : {}, signal), mayBeNobody), signal),

  /** Asks for octets. */
  octets: async (path: string, { signal, mayBeNobody }: GetOptions = {}): Promise<ArrayBuffer> => {
    const response = await checked(await ask(path, {}, signal), mayBeNobody);
    return bodyOf(() => response.arrayBuffer(), signal);
  },

  send,
};
