import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { io } from 'socket.io-client';
import { pageOf, until } from './studio.mjs';

const PATIENCE_MS = 60_000;
const CHANNELS = ['projects', 'media', 'regions', 'comments', 'todos'];
/** Personal data, which is sent only to that user's room. The placeholder of a removed comment does not show whose rating the push is about. */
const isOwn = ({ type, view, permissionLevel }) => permissionLevel !== undefined || view?.negs !== undefined || (type === 'CommentRated' && view.removed);
const thingsOf = ({ view, ids }) => ids ?? [view._id];
const keyOf = (channel, body) => `${body.position} ${channel} ${body.type} ${thingsOf(body).join()} ${isOwn(body)}`;

const byId = (list) => new Map(list.map((each) => [each._id, each]));

/**
 * A minimal model of a project page: loaded once, then kept up to date by messages, each handled once. It remembers the position up to which all
 * messages were handled (a position is complete once a later one arrives) and reconnects with it.
 */
export class Browser {
  socket = null;
  /** Every handled message, in order. */
  handled = [];
  repeats = 0;
  reloads = 0;
  comebacks = 0;
  #keys = new Set();
  #entered = false;
  #newest = 0;
  #cameWith = 0;

  constructor(who, projectId, { url = who.url, wrong, name = who.username }) {
    Object.assign(this, { who, projectId, url, wrong, name });
  }

  /** Loads the page and joins the room from the loaded position. */
  async open() {
    await this.#load();
    await this.connect();
    return this;
  }

  async #load() {
    const { project, versions, regions, comments, todos } = await pageOf(this.who, this.projectId);
    this.state = { projects: byId([project]), media: byId(versions), regions: byId(regions), comments: byId(comments), todos: byId(todos) };
    this.after = project.position;
  }

  /** Reconnects until it has joined the room or is refused permanently. @returns the answer to `in-project` */
  async connect() {
    let last = null;
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(50)) {
      const answer = await this.#enter();
      last = answer;
      if (answer === null || (!answer.ok && answer.problem.status !== 404)) continue;
      if (answer.ok && answer.reload === true) {
        this.reloads += 1;
        await this.#load();
      }
      if (answer.ok) this.after = Math.max(this.after, answer.position);
      return answer;
    }
    throw new Error(`${this.name} could not join within ${PATIENCE_MS} ms: ${JSON.stringify(last)}`);
  }

  async #enter() {
    this.socket?.disconnect();
    this.#entered = false;
    this.#newest = 0;
    this.#cameWith = this.after;
    const socket = io(this.url, { transports: ['websocket'], auth: { token: this.who.token }, forceNew: true, reconnection: false, timeout: 5_000 });
    this.socket = socket;
    for (const channel of CHANNELS) socket.on(channel, (body) => this.socket === socket && body.projectId === this.projectId && this.#take(channel, body));
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('connect_error', () => resolve(false));
    });
    if (!isOpen) return null;
    const answer = await socket
      .timeout(10_000)
      .emitWithAck('in-project', { projectId: this.projectId, after: this.after, ...(this.log === undefined ? {} : { log: this.log }) })
      .catch(() => null);
    if (answer?.ok) {
      this.log = answer.log;
      this.#entered = true;
    }
    return answer;
  }

  #take(channel, body) {
    const { position } = body;
    if (!isOwn(body)) {
      // Before it has joined, the user's own room sends pushes as far as this server is: ahead of what was missed, or behind what another server sent. Neither counts.
      if (this.#entered && position < this.#newest) this.wrong(`${this.name} received position ${position} after ${this.#newest}`);
      if (this.#entered && position <= this.#cameWith) this.wrong(`${this.name} received position ${position} again after reconnecting with ${this.#cameWith}`);
      this.#newest = position;
    }
    if (this.#entered) this.after = Math.max(this.after, position - 1);
    const key = keyOf(channel, body);
    if (this.#keys.has(key)) {
      this.repeats += 1;
      return;
    }
    this.#keys.add(key);
    this.handled.push({ channel, body });
    this.#keep(this.state[channel], body);
    if (channel === 'todos') this.#listCompleted(body);
  }

  /** A version's list of completed todos follows from their messages. */
  #listCompleted({ type, view, ids = [] }) {
    for (const [id, version] of this.state.media) {
      const left = version.completedTodos.filter((todoId) => !ids.includes(todoId) && todoId !== view?._id);
      if (type === 'TodoCompleted' && view?.completedTodosVersionId === id) left.push(view._id);
      else if (version.completedTodos.includes(view?._id)) continue;
      this.state.media.set(id, { ...version, completedTodos: left });
    }
  }

  #keep(things, { view, ids = [] }) {
    for (const id of ids) things.delete(id);
    if (view === undefined) return;
    const known = things.get(view._id);
    if (known === undefined || known.position <= view.position) things.set(view._id, view);
  }

  get isIn() {
    return this.#entered && this.socket.connected;
  }

  /** Whether all messages up to a position have been handled. */
  hasReached(position) {
    return this.handled.some(({ body }) => body.position >= position) || this.after >= position;
  }

  /** Disconnects without leaving the room. */
  drop() {
    this.socket.io.engine.close();
  }

  close() {
    this.socket?.disconnect();
  }
}

/** Without what differs between viewers. The position of a version also moves with the todos that were completed under it. */
const bare = ({ negs: _negs, negCount: _count, position, ...view }) => ({ ...view, position: view.versionUrl === undefined ? position : 0 });
const facts = ({ projectName, description, visibility, completed, userPermissions }) => ({ projectName, description, visibility, completed, userPermissions });

/** Waits until a browser has handled all messages up to a position. */
export const caughtUp = (browser, position) => until(`${browser.name} has reached ${position}`, () => browser.hasReached(position));

/** Compares a browser's state with a fresh load of the page. */
export async function comparePage(browser, wrong) {
  const page = await pageOf(browser.who, browser.projectId);
  const lists = { media: page.versions, regions: page.regions, comments: page.comments, todos: page.todos };
  const [known] = browser.state.projects.values();
  if (!isDeepStrictEqual(facts(known), facts(page.project))) wrong(`${browser.name} has the project as ${JSON.stringify(facts(known))}`);
  for (const [channel, list] of Object.entries(lists)) {
    const things = browser.state[channel];
    for (const view of list) {
      const has = things.get(view._id);
      if (has === undefined) wrong(`${browser.name} never received ${channel} ${view._id}`);
      else if (!isDeepStrictEqual(bare(has), bare(view))) {
        wrong(`${browser.name} has ${channel} ${view._id} as ${JSON.stringify(bare(has))}, the page shows ${JSON.stringify(bare(view))}`);
      }
    }
    if (things.size > list.length) wrong(`${browser.name} still has ${things.size - list.length} removed ${channel}`);
  }
}

/** Compares a browser's messages with those of a witness in the same room that never disconnected: each one arrived, or a newer one for the same item. */
export function compareReceived(browser, witness, wrong) {
  const newest = new Map();
  for (const { channel, body } of browser.handled) {
    for (const id of thingsOf(body)) newest.set(`${channel} ${id}`, Math.max(body.position, newest.get(`${channel} ${id}`) ?? 0));
  }
  for (const { channel, body } of witness.handled) {
    for (const id of thingsOf(body)) {
      const came = newest.get(`${channel} ${id}`) ?? 0;
      if (came < body.position) wrong(`${browser.name} missed ${channel} ${body.type} of ${id} at ${body.position}, the newest received is ${came}`);
    }
  }
}
