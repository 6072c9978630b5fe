// Promise: all or none of the events of a command are in the log, on pages and in pushes
// Breaks: kill -9 during commands with several events
// Gate: backend/src/platform/streams/streams.spec.ts "the events of one command become visible together"
// Gate: backend/src/platform/sqlite/wal-check.spec.ts "a log cut at any byte of its last commit ends at the previous commit and reports the dropped bytes"
import { setTimeout as pause } from 'node:timers/promises';
import { compareAll } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { listen } from './lib/socket.mjs';
import { aProject, person, until, upload } from './lib/studio.mjs';

/** Timeout for receiving missed messages after a reconnect. */
const RECEIVED_MS = 20_000;

/** The events of a command that writes several, and the message that the room receives for each. */
const EDIT = ['ProjectRenamed', 'ProjectDescriptionEdited', 'ProjectVisibilityChanged', 'ProjectCompletionChanged'];
const MESSAGES = {
  ProjectRenamed: 'ProjectName',
  ProjectDescriptionEdited: 'ProjectDescription',
  ProjectVisibilityChanged: 'ProjectVisibility',
  ProjectCompletionChanged: 'ProjectCompleted',
};

/** A command with up to four events. Its key encodes the request, so that the log alone shows how many events it must have. */
async function edits({ owner, projectId, ledger, signal }) {
  for (let round = 0; !signal.aborted; round += 1) {
    const to = round % 2 === 0 ? 'public' : 'private';
    const key = `edit-${to}-${crypto.randomUUID()}`;
    const submission = { projectName: `Name ${key}`, description: `About ${key}`, visibility: to, completed: to === 'public' };
    const { status } = await ledger.send(owner, { method: 'PUT', path: `/api/projects/${projectId}`, body: { submission }, key });
    if (status === 0) return;
  }
}

/** A new project's first version and invitation, in one append. */
async function begins({ owner, other, ledger, signal }) {
  while (!signal.aborted) {
    const submission = { projectName: 'New', invitedUsers: [`${other.uid}-3`], message: 'Listen' };
    const begun = await ledger.send(owner, { path: '/api/projects/newProject', body: { submission }, types: ['ProjectCreated'] });
    if (begun.status !== 201) return;
    const projectId = begun.body.newProject._id;
    const uploadId = await upload(owner, projectId).catch(() => null);
    if (uploadId === null) return;
    const body = { initialVersion: { projectId, uploadId } };
    const { status } = await ledger.send(owner, { path: '/api/media/newProject', body, types: ['VersionAdded', 'ProjectUsersInvited'] });
    if (status === 0) return;
  }
}

/** A comment that makes a child of a region, and its return to the parent, which removes the child: two events each. False if one was not answered. */
async function tagsChild({ owner, projectId, regionId, ledger }) {
  const submission = { content: 'Here', taggedRegions: [{ _id: regionId, end: 0.5 }] };
  const added = await ledger.send(owner, { path: '/api/comments', body: { projectId, submission }, types: ['ChildRegionAdded', 'CommentAdded'] });
  if (added.status !== 201) return false;
  const edit = { method: 'PUT', path: `/api/comments/${added.body.newComment._id}`, body: { submission: { taggedRegions: [{ _id: regionId }] } } };
  return (await ledger.send(owner, { ...edit, types: ['CommentEdited', 'RegionRemoved.v2'] })).status === 200;
}

/** Three todos, completed in one append and removed. */
async function completes({ owner, projectId, ledger, signal }) {
  while (!signal.aborted) {
    const ids = [];
    for (let at = 0; at < 3; at += 1) {
      const { status, body } = await ledger.send(owner, { path: '/api/todos', body: { projectId, submission: { content: `Todo ${at}` } } });
      if (status !== 201) return;
      ids.push(body.newTodo._id);
    }
    const types = ids.map(() => 'TodoCompleted');
    const done = await ledger.send(owner, { method: 'PUT', path: `/api/todos/markComplete/${ids.join(',')}`, body: { projectId }, types });
    if (done.status !== 200) return;
    const { status } = await ledger.send(owner, { path: `/api/todos/${ids[0]}/remove`, body: { projectId } });
    if (status === 0) return;
  }
}

/** A region, comments tagged with it, and its removal, which also removes the tags: one event each that changes several items. */
async function tags({ owner, projectId, versionId, ledger, signal }) {
  while (!signal.aborted) {
    const region = await ledger.send(owner, { path: '/api/regions', body: { projectId, submission: { versionId, start: 0.1, end: 0.6 } } });
    if (region.status !== 201) return;
    const regionId = region.body.newRegion._id;
    for (let at = 0; at < 3; at += 1) {
      const body = { projectId, submission: { content: 'Here', taggedRegions: [{ _id: regionId }] } };
      const { status } = await ledger.send(owner, { path: '/api/comments', body });
      if (status !== 201) return;
    }
    if (!(await tagsChild({ owner, projectId, regionId, ledger }))) return;
    const { status } = await ledger.send(owner, { path: `/api/regions/${regionId}`, body: { projectId } });
    if (status === 0) return;
  }
}

/** The project changes that the room received, by position and type. */
const collectReceived = (listener, projectId, into) => {
  for (const { channel, body } of listener.pushes(projectId)) if (channel === 'projects') into.add(`${body.position} ${body.type}`);
};
const lastReceived = (listener, projectId) => Math.max(0, ...listener.pushes(projectId).map(({ body }) => body.position ?? 0));

const editsIn = (events, projectId) => events.filter(({ stream, type }) => stream === `project-${projectId}` && EDIT.includes(type));

/** The messages that the room must receive for these edits, by position and type. */
const expectedMessages = (edited, from) =>
  new Set(edited.filter(({ position }) => position > from).map(({ position, type }) => `${position} ${MESSAGES[type]}`));

/** All or none of the events of each edit must be in the log, and exactly the stored ones must have been received. */
function compareEdits({ edited, expected, received, wrong, count }) {
  const byCommand = new Map();
  for (const event of edited) byCommand.set(event.meta.commandId, [...(byCommand.get(event.meta.commandId) ?? []), event]);
  let before = 'private';
  for (const [key, found] of byCommand) {
    const to = key.split('-')[1];
    const left = found.map(({ type }) => type).join(' ');
    if (left !== EDIT.slice(0, to === before ? 2 : 4).join(' ')) wrong(`command ${key} left ${left}`);
    before = to;
  }
  for (const each of expected) if (!received.has(each)) wrong(`the room never received ${each}`);
  for (const each of received) if (!expected.has(each)) wrong(`the room received ${each}, which is not in the log`);
  count('commands of several events', byCommand.size);
  count('messages compared', expected.size);
}

export const fault = {
  name: 'all-or-none',
  async run({ random, short, folder, wrong, count }) {
    let program = await startProgram({ folder });
    let [owner, other] = [await person(program.url, 'Ona'), await person(program.url, 'Wim')];
    const { projectId, versionId } = await aProject(owner, { collaborators: [other] });
    const ledger = new Ledger({ isPatient: true });
    const received = new Set();
    let listener = await listen(other);
    const { position: from, log } = await listener.join(projectId);
    let after = from;
    for (let round = 1; round <= (short ? 2 : 14); round += 1) {
      const stop = new AbortController();
      const asked = { owner, other, projectId, versionId, ledger, signal: stop.signal };
      const working = [edits(asked), begins(asked), tags(asked), completes(asked)];
      await pause(between(random, 100, 1_200));
      stop.abort();
      await program.kill();
      await Promise.all(working);
      collectReceived(listener, projectId, received);
      after = Math.max(after, lastReceived(listener, projectId) - 1);
      listener.close();
      program = await startProgram({ folder });
      [owner, other] = [owner.at(program.url), other.at(program.url)];
      listener = await listen(other);
      const back = await listener.ask('in-project', { projectId, after, ...(log === undefined ? {} : { log }) });
      if (back.ok !== true || back.reload === true) wrong(`rejoining was answered with ${JSON.stringify(back)}`);
      count('kills');
    }
    const events = await compareAll({ folder, ledger, people: [owner, other], wrong, count });
    const edited = editsIn(events, projectId);
    const expected = expectedMessages(edited, from);
    const isComplete = () => (collectReceived(listener, projectId, received), [...expected].every((each) => received.has(each)));
    await until('the room has received every edit', isComplete, RECEIVED_MS).catch(() => undefined); // reported below, one by one
    await listener.ask('login');
    collectReceived(listener, projectId, received);
    compareEdits({ edited, expected, received, wrong, count });
    listener.close();
    await program.stop();
  },
};
