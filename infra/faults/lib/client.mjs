import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const DEADLINE_MS = 30_000;
/** How long a deferred command is retried. */
const DEFERRED_MS = 60_000;
const RETRY_MS = 200;
/** No command is deferred sooner: conflicts are retried for 3 s, and answers wait 2 s for the read models. */
const TRIED_MS = 2_900;
const WAITED_MS = 1_900;

/** A 503 with Retry-After, as sent when the read models lag. The command was executed or not; a retry under its key settles it. */
const isDeferred = ({ status, headers }) => status === 503 && headers['retry-after'] !== undefined;

/** Deferred too early, which a busy machine cannot explain. A full queue of uploads refuses at once. */
export const isHasty = ({ ms, body }) => body?.code !== 'upload.busy' && ms < (body?.code === 'store.busy' ? TRIED_MS : WAITED_MS);

/** Calls a running program over HTTP. Failed calls have status 0 and an error; nothing is thrown. */
export class Client {
  #agent;

  /** @param {{ maxSockets?: number }} options `maxSockets`: calls at once; more wait for a connection, which counts as time without an answer */
  constructor(url, token = null, { maxSockets = 64 } = {}) {
    this.url = url;
    this.token = token;
    this.#agent = new Agent({ keepAlive: true, maxSockets });
  }

  /** The same user at another address, for example after a restart. */
  at(url, options) {
    return Object.assign(new Client(url, this.token, options), { uid: this.uid, username: this.username, email: this.email });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object | Buffer} [body] an object is sent as JSON
   * @param {{ key?: string, headers?: Record<string, string>, milliseconds?: number }} [options] `key`: the Idempotency-Key
   * @returns the answer; `isFirst` with an error: it was the first request on its connection
   */
  call(method, path, body, { key, headers = {}, milliseconds = DEADLINE_MS } = {}) {
    const payload = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const begun = performance.now();
    const all = {
      ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
      ...(typeof payload === 'string' ? { 'content-type': 'application/json' } : {}),
      ...(payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    };
    return new Promise((resolve) => {
      const failed = (error) => resolve({ status: 0, error, isFirst: !sent.reusedSocket, headers: {}, body: null, ms: performance.now() - begun });
      const sent = request(new URL(path, this.url), { agent: this.#agent, method, headers: all, timeout: milliseconds }, (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.once('error', failed);
        answer.once('end', () => {
          const bytes = Buffer.concat(chunks);
          const isJson = /json/.test(String(answer.headers['content-type']));
          resolve({
            status: answer.statusCode,
            headers: answer.headers,
            body: isJson ? JSON.parse(bytes.toString('utf8')) : bytes,
            ms: performance.now() - begun,
          });
        });
      });
      sent.once('error', failed);
      sent.once('timeout', () => sent.destroy(new Error(`no answer within ${milliseconds} ms`)));
      sent.end(payload);
    });
  }

  /**
   * Like {@link call}, but retries deferred calls under the same key for up to a minute: soon, or with `isPatient` after the answer's Retry-After.
   * @returns the last answer, and the deferring ones before it
   */
  async insist(method, path, body, options = {}) {
    const keyed = method === 'GET' ? options : { ...options, key: options.key ?? crypto.randomUUID() };
    const deferred = [];
    for (const end = performance.now() + DEFERRED_MS; ;) {
      const answer = await this.call(method, path, body, keyed);
      if (!isDeferred(answer) || performance.now() > end) return { ...answer, deferred };
      deferred.push(answer);
      await pause(options.isPatient === true ? Number(answer.headers['retry-after'] ?? 0) * 1_000 + RETRY_MS : RETRY_MS);
    }
  }

  /** A call that must succeed, possibly after retries. @throws with the actual answer */
  async must(method, path, body, options) {
    const answer = await this.insist(method, path, body, options);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${answer.error ?? JSON.stringify(answer.body)}`);
  }

  close() {
    this.#agent.destroy();
  }
}
