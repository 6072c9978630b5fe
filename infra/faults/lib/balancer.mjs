import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.mjs';
import { until } from './studio.mjs';

/** How often a process is asked whether it is ready. Each answer takes many reads of the stores. */
const CHECK_MS = 500;
const ANSWER_MS = 2_000;

/** Sends each request to one of the ready processes in turn, as a load balancer does. */
export class Balancer {
  #programs = new Set();
  #ready = [];
  /** How many requests are open, by process. */
  #open = new Map();
  #turn = 0;
  #over = new AbortController();
  #checking;

  constructor() {
    this.#checking = this.#check();
  }

  add(program) {
    this.#programs.add(program);
  }

  /** Stops a process while requests continue: it gets no new ones, and ends once the open ones are answered. */
  async stop(program) {
    this.#programs.delete(program);
    this.#ready = this.#ready.filter((each) => each !== program);
    await until('all requests are answered', () => this.#open.get(program) === 0);
    const { code } = await program.stop();
    if (code !== 0) throw new Error(`exit code ${code} after SIGTERM`);
  }

  /** Runs requests on the next ready process. @throws if there is none */
  async send(requests) {
    this.#turn += 1;
    const program = this.#ready[this.#turn % this.#ready.length];
    if (program === undefined) throw new Error('no process is ready');
    this.#open.set(program, (this.#open.get(program) ?? 0) + 1);
    try {
      return await requests(program);
    } finally {
      this.#open.set(program, this.#open.get(program) - 1);
    }
  }

  isServing = (program) => this.#ready.includes(program);

  async close() {
    this.#over.abort();
    await this.#checking;
  }

  async #check() {
    while (!this.#over.signal.aborted) {
      const asked = [...this.#programs];
      const answers = await Promise.all(asked.map(({ url }) => new Client(url).call('GET', '/health/ready', undefined, { milliseconds: ANSWER_MS })));
      // One without an answer keeps its place, as it does until several probes in a row have failed.
      const isReady = (program, { status }) => status === 200 || (status === 0 && this.#ready.includes(program));
      this.#ready = asked.filter((program, at) => this.#programs.has(program) && isReady(program, answers[at]));
      await pause(CHECK_MS);
    }
  }
}
