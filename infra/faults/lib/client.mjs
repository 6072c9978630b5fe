import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const DEADLINE_MS = 30_000;
/** So long a command that is put off is sent again, after a moment each time. */
const PUT_OFF_MS = 60_000;
const AGAIN_MS = 200;
/** Nobody is put off before this: a command that others are faster than is tried for 3 s, and answers wait 2 s for the read models. */
const TRIED_MS = 2_900;
const WAITED_MS = 1_900;

/** 503 that says when to come again, as it comes by itself where the read models lag: what was asked stands or was not begun, and its key tells which. */
const isPutOff = ({ status, headers }) => status === 503 && headers['retry-after'] !== undefined;

/** Put off without having been tried or waited for, which no busy machine explains. */
export const isHasty = ({ ms, body }) => ms < (body?.code === 'store.busy' ? TRIED_MS : WAITED_MS);

/** Calls a running program over HTTP. What could not be sent or answered has status 0 and the error; nothing is thrown. */
export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(url, token = null) {
    this.url = url;
    this.token = token;
  }

  /** The same person on a program at another address (after a restart). */
  at(url) {
    return Object.assign(new Client(url, this.token), { uid: this.uid, username: this.username, email: this.email });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object | Buffer} [body] an object is sent as JSON
   * @param {{ key?: string, headers?: Record<string, string>, milliseconds?: number }} [options] `key`: the Idempotency-Key
   * @returns what was answered; `isFirst` with an error: it was the first request of its connection
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
   * As {@link call}, and again under the same key while it is put off, for a minute at most.
   * @returns the last answer, with those before it that put it off
   */
  async insist(method, path, body, options = {}) {
    const keyed = method === 'GET' ? options : { ...options, key: options.key ?? crypto.randomUUID() };
    const putOff = [];
    for (const end = performance.now() + PUT_OFF_MS; ; await pause(AGAIN_MS)) {
      const answer = await this.call(method, path, body, keyed);
      if (!isPutOff(answer) || performance.now() > end) return { ...answer, putOff };
      putOff.push(answer);
    }
  }

  /** A call that has to succeed, put off or not. @throws with what came instead */
  async must(method, path, body, options) {
    const answer = await this.insist(method, path, body, options);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${answer.error ?? JSON.stringify(answer.body)}`);
  }

  close() {
    this.#agent.destroy();
  }
}
