import { setTimeout as pause } from 'node:timers/promises';
import { Ledger } from './ledger.mjs';
import { startPrograms } from './program.mjs';
import { quiet } from './read-models.mjs';
import { readServersLog, wrongInServersLog } from './servers-log.mjs';
import { aProject, pageOf, person, untilReady } from './studio.mjs';

const ROLES = 'web,projector,reactor';
const PER_SECOND = 10;
/** Many, so that commands rarely meet on one stream. */
const PROJECTS = 10;
/**
 * The deadlines of a command, which add up if each step succeeds just in time: 10 s in the queue of its stream, 5 s to read the stream, 6 s to append, 2 s for the read models.
 * With an allowance for a busy machine.
 */
const ANSWER_MS = 10_000 + 5_000 + 6_000 + 2_000 + 2_000;
/** How long to wait for a command that succeeds, even if it is too late. */
const PATIENCE_MS = 30_000;

/** Comments at a constant rate on two programs that share a log, and what they must leave behind. */
export class ClusterCommands {
  ledger = new Ledger({ isPatient: true });
  #sent = [];
  #over = new AbortController();
  /** The newest position that each program acknowledged. */
  #newest = [0, 0];

  static async begin({ folder, env, ...tools }) {
    const commands = Object.assign(new ClusterCommands(), tools);
    const shared = { ...env, MONGO_URL: `${env.MONGO_URL}cluster` };
    commands.programs = await startPrograms({ folder, roles: [ROLES, ROLES], env: shared });
    for (const program of commands.programs) await untilReady(program);
    const owner = await person(commands.programs[0].url, 'Ona');
    // While no node leads, commands pile up. One that waits for a connection would look as if the program did not answer it.
    commands.writers = commands.programs.map(({ url }) => owner.at(url, { maxSockets: Infinity }));
    commands.projectIds = [];
    for (let at = 0; at < PROJECTS; at += 1) commands.projectIds.push((await aProject(owner, { projectName: `Song ${at}` })).projectId);
    commands.loading = commands.#load(commands.#over.signal);
    return commands;
  }

  async #load(signal) {
    for (let at = 0, due = performance.now(); !signal.aborted; at += 1, due += 1_000 / PER_SECOND) {
      await pause(Math.max(0, due - performance.now()));
      this.#sent.push(this.#comment(at));
    }
    await Promise.all(this.#sent);
  }

  /** Sends a comment to one of the programs and, while it is deferred, again under the same key. */
  async #comment(at) {
    const body = { projectId: this.projectIds[at % PROJECTS], submission: { content: `Take ${at}` } };
    const { status, deferred, ...answer } = await this.ledger.send(this.writers[at % 2], { path: '/api/comments', body });
    for (const { ms, body: problem } of [...deferred, answer])
      if (ms > ANSWER_MS) this.wrong(`a command was answered after ${Math.round(ms)} ms ${problem?.code ?? ''}`);
    if (status !== 201) this.wrong(`command ${at} was answered ${status} ${answer.body?.code ?? answer.error?.code ?? ''}`);
    else this.#newest[at % 2] = Math.max(this.#newest[at % 2], Number(answer.headers['x-position']));
    this.count('commands acknowledged');
    this.count('answers that deferred a command', deferred.length);
  }

  /** Waits until each program acknowledges a command behind all that were acknowledged so far. @returns the milliseconds it took */
  async back() {
    const from = performance.now();
    const head = Math.max(...this.#newest);
    while (Math.min(...this.#newest) <= head && performance.now() - from < PATIENCE_MS) await pause(10);
    return performance.now() - from;
  }

  /** Ends the load, and compares the log and the pages of both programs with what was acknowledged. */
  async compare(env) {
    this.#over.abort();
    await this.loading;
    for (const web of this.programs) await quiet(web);
    for (const sentence of wrongInServersLog(await readServersLog(env), this.ledger)) this.wrong(sentence);
    for (const writer of this.writers) {
      const pages = await Promise.all(this.projectIds.map((projectId) => pageOf(writer, projectId)));
      const shown = pages.flatMap(({ comments }) => comments.map(({ _id }) => _id));
      if (new Set(shown).size !== shown.length) this.wrong('a comment is on a page twice');
      const missing = [...this.ledger.acknowledged.values()].filter(({ body }) => !shown.includes(body.newComment._id));
      if (missing.length > 0) this.wrong(`${missing.length} acknowledged comments are missing on the pages`);
      if (shown.length !== this.ledger.acknowledged.size)
        this.wrong(`${shown.length} comments are on the pages, and ${this.ledger.acknowledged.size} were acknowledged`);
    }
    for (const program of this.programs) await program.stop();
  }
}
