// Random load: users who write on their own and each other's projects, with all outcomes recorded in a ledger.
import { setTimeout as pause } from 'node:timers/promises';
import { between, oneOf } from './seeded.mjs';
import { aProject, person, trialUpload } from './studio.mjs';

const WORDS = ['the doubles', 'drag behind', 'the chorus', 'less reverb', 'on the snare', 'try it dry', 'wide', 'in the bridge', 'a breath', 'louder'];
const sentence = (random) => Array.from({ length: between(random, 2, 5) }, () => oneOf(random, WORDS)).join(' ');

/** A command on a user's own collections of their own project. */
function onCollections(random, { projectId, who, collections }) {
  const id = oneOf(random, collections);
  const path = `/api/collections/${who.uid}`;
  if (collections.length < 3) {
    return { path, body: { submission: { title: sentence(random) } }, made: ({ newCollection }) => collections.push(newCollection._id) };
  }
  if (random() < 0.15) return { path: `${path}/${collections.splice(collections.indexOf(id), 1)[0]}`, body: {} };
  const change = random() < 0.3 ? { title: sentence(random) } : { projectIds: [projectId], willAdd: random() < 0.5 };
  return { method: 'PUT', path: `${path}/${id}`, body: change };
}

const HOUR_MS = 60 * 60_000;

/** A command on a user's own todos of a project. */
function onTodos(random, { projectId, todos }) {
  const kind = random();
  const content = sentence(random);
  if (kind < 0.35 || todos.length === 0) {
    const due = random() < 0.5 ? {} : { dueDate: Date.now() + between(random, 2, 50) * HOUR_MS, reminder: { '1 hour before': 0 } };
    return { path: '/api/todos', body: { projectId, submission: { content, ...due } }, made: ({ newTodo }) => todos.push(newTodo._id) };
  }
  const id = oneOf(random, todos);
  if (kind < 0.5) return { path: `/api/todos/${id}`, body: { projectId, submission: { content } } };
  if (kind < 0.75) return { method: 'PUT', path: `/api/todos/${id}`, body: { projectId, submission: random() < 0.5 ? { content } : { dueDate: null } } };
  const gone = todos.splice(todos.indexOf(id), 1)[0];
  return kind < 0.9
    ? { method: 'PUT', path: `/api/todos/markComplete/${gone}`, body: { projectId } }
    : { path: `/api/todos/${gone}/remove`, body: { projectId } };
}

/** A writer's next command: method, path, body, the expected event types, and what to remember once it is acknowledged. */
function nextCommand(random, { projectId, versionId, mine, who, isOwner }) {
  const { comments, regions, todos, collections } = mine;
  if (random() < 0.15) return onTodos(random, { projectId, todos });
  if (isOwner && random() < 0.1) return onCollections(random, { projectId, who, collections });
  if (random() < 0.1) {
    const note = isOwner && random() < 0.5 ? 'private' : 'public';
    return { method: 'PUT', path: `/api/projects/${projectId}`, body: { submission: { owner: { notes: { [note]: sentence(random) } } } } };
  }
  const kind = random();
  if (kind < 0.1 && regions.length > 0) {
    const changed = { _id: oneOf(random, regions), end: between(random, 500, 1_000) / 1_000 };
    const submission = { content: sentence(random), taggedRegions: [changed] };
    return { path: '/api/comments', body: { projectId, submission }, made: ({ newComment }) => comments.push(newComment._id) };
  }
  if (kind < 0.35 || comments.length === 0) {
    return { path: '/api/comments', body: { projectId, submission: { content: sentence(random) } }, made: ({ newComment }) => comments.push(newComment._id) };
  }
  if (kind < 0.5) {
    const span = { start: between(random, 0, 400) / 1_000, end: between(random, 500, 1_000) / 1_000 };
    const body = { projectId, submission: { versionId, ...span, tag: oneOf(random, ['general', 'mix']), label: sentence(random) } };
    return { path: '/api/regions', body, made: ({ newRegion }) => regions.push(newRegion._id) };
  }
  const commentId = oneOf(random, comments);
  if (kind < 0.65) return { path: `/api/comments/${commentId}/reply`, body: { projectId, submission: { content: sentence(random) } } };
  if (kind < 0.8) return { method: 'PUT', path: `/api/comments/${commentId}`, body: { projectId, submission: { content: sentence(random) } } };
  if (kind < 0.9 && regions.length > 0) {
    return { method: 'PUT', path: `/api/regions/${oneOf(random, regions)}`, body: { projectId, submission: { end: between(random, 500, 1_000) / 1_000 } } };
  }
  if (kind < 0.95) return { path: `/api/comments/${comments.splice(comments.indexOf(commentId), 1)[0]}`, body: { projectId } };
  return { method: 'PUT', path: `/api/comments/${commentId}/rating`, body: { projectId, type: 'likes', on: random() < 0.7 } };
}

/** Users with projects: each owns one and works in the next user's. `isLarge`: they also upload versions and edit projects. */
export class Band {
  people = [];
  projects = [];
  #isUploading = false;

  static async form(program, { size = 3, prefix = 'Member', isLarge = false } = {}) {
    const band = Object.assign(new Band(), { isLarge });
    for (let at = 0; at < size; at += 1) band.people.push(await person(program.url, `${prefix}${at}`));
    for (const [at, owner] of band.people.entries()) {
      const other = band.people[(at + 1) % size];
      band.projects.push({ ...(await aProject(owner, { projectName: `Song ${at}`, collaborators: other === owner ? [] : [other] })), writers: [owner, other] });
    }
    band.mine = new Map();
    return band;
  }

  /** The same users at another address. */
  moveTo(url) {
    const moved = new Map(this.people.map((who) => [who.uid, who.at(url)]));
    this.people = [...moved.values()];
    for (const each of this.projects) each.writers = each.writers.map((who) => moved.get(who.uid));
  }

  /** One command of a random writer on a random project. */
  async command(random, ledger) {
    const each = oneOf(random, this.projects);
    const who = oneOf(random, each.writers);
    const place = `${who.uid} ${each.projectId}`;
    if (!this.mine.has(place)) this.mine.set(place, { comments: [], regions: [], todos: [], collections: [] });
    const larger = this.isLarge && random() < 0.12 ? await this.#larger(random, each, who) : null;
    const { made, ...command } = larger ?? nextCommand(random, { ...each, mine: this.mine.get(place), who, isOwner: who === each.writers[0] });
    const answer = await ledger.send(who, command);
    if (made !== undefined && answer.status === 201) made(answer.body);
    return answer;
  }

  /** Another version or, by the owner, an edit that writes two events. Null if impossible now. */
  async #larger(random, { projectId, writers }, who) {
    if (who === writers[0] && random() < 0.6) {
      const submission = { projectName: `Song ${crypto.randomUUID()}`, description: `${sentence(random)} ${crypto.randomUUID()}` };
      return { method: 'PUT', path: `/api/projects/${projectId}`, body: { submission }, types: ['ProjectRenamed', 'ProjectDescriptionEdited'] };
    }
    // One upload at a time, because announcing another cancels the previous one.
    const uploadId = this.#isUploading ? null : await this.#upload(who, projectId);
    return uploadId === null
      ? null
      : { path: '/api/media', body: { submission: { projectId, uploadId, tinySummary: oneOf(random, WORDS), updateType: 'minor' } }, types: ['VersionAdded'] };
  }

  async #upload(who, projectId) {
    this.#isUploading = true;
    try {
      return await trialUpload(who, projectId);
    } finally {
      this.#isUploading = false;
    }
  }

  /** Writes with `writers` at once until the signal aborts or an answer is lost. @returns how many commands were sent */
  async work(random, ledger, { writers = 8, signal, pauseMs = 0 }) {
    let sent = 0;
    const one = async () => {
      while (!signal.aborted) {
        const { status } = await this.command(random, ledger);
        sent += 1;
        if (status === 0) return;
        if (pauseMs > 0) await pause(pauseMs);
      }
    };
    await Promise.all(Array.from({ length: writers }, one));
    return sent;
  }
}
