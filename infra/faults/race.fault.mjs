// Promise: no event of a user is stored after the one that revoked their right
// Breaks: rights are revoked and restored while their holder writes
// Gate: backend/src/platform/streams/streams.spec.ts "in any order of arrival, no event of a member follows the event that revoked their right"
import { setTimeout as pause } from 'node:timers/promises';
import { compareAll } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { readLog } from './lib/log-fold.mjs';
import { startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { addVersion, aProject, person } from './lib/studio.mjs';

/** The right required for each event type; null for none. */
const NEEDS = {
  CommentAdded: 'comment',
  CommentReplyAdded: 'comment',
  RegionAdded: 'comment',
  ChildRegionAdded: 'comment',
  RegionEdited: 'comment',
  TodoAdded: 'write',
  TodoReplyAdded: 'comment',
  VersionAdded: 'write',
  PublicNoteEdited: 'write',
};

/** Violations found in the log alone: events by a user after the event that took their right. */
function trespasses(events, projectId) {
  const wrong = [];
  const members = new Map();
  let owner = '';
  for (const { stream, type, data, meta, position } of events) {
    if (stream !== `project-${projectId}`) continue;
    if (type === 'ProjectCreated') owner = data.ownerUid;
    if (type === 'ProjectUsersInvited') for (const { uid, ...grant } of data.invited) members.set(uid, grant);
    if (type === 'ProjectPermissionsChanged') members.set(data.uid, data.to);
    if (type === 'ProjectUsersRemoved') for (const uid of data.uids) members.delete(uid);
    if (meta.actorUid === null || meta.actorUid === owner) continue;
    const grant = members.get(meta.actorUid);
    const need = NEEDS[type];
    const may = grant !== undefined && (need === 'write' ? grant.write : need === 'comment' ? grant.write || grant.access % 2 === 1 : true);
    if (!may) wrong.push(`${type} at ${position} by a user whose right had been taken (${JSON.stringify(grant ?? 'removed')})`);
  }
  return wrong;
}

/** The maximum number of events between an event and the answer to its command, unless it was deferred and retried. */
const MEANWHILE = 40;

/**
 * A user removed between their event and its answer gets 404 instead of the outcome. The removal then follows right after the event. Every other refused
 * command must have stored nothing.
 */
function allowRemovalBeforeAnswer(events, { ledger, writer, count }) {
  for (const { position, meta, stream } of events) {
    if (ledger.refused.get(meta.commandId) !== 404) continue;
    const until = ledger.deferred.has(meta.commandId) ? events.length : position + MEANWHILE;
    const behind = events.slice(position, until).filter((event) => event.stream === stream);
    if (!behind.some(({ type, data }) => type === 'ProjectUsersRemoved' && data.uids.includes(writer.uid))) continue;
    ledger.refused.delete(meta.commandId);
    count('answered 404 after a removal');
  }
}

function oneWrite({ projectId, versionId, regionId, todoId, random }) {
  const kind = random();
  if (kind < 0.15) {
    const submission = { content: 'Here', taggedRegions: [{ _id: regionId, end: 0.4 }] };
    return { path: '/api/comments', body: { projectId, submission } };
  }
  if (kind < 0.3) return { path: '/api/regions', body: { projectId, submission: { versionId, start: 0.1, end: 0.5 } } };
  if (kind < 0.4) return { path: '/api/todos', body: { projectId, submission: { content: 'Tune the snare' } } };
  if (kind < 0.5) return { path: `/api/todos/${todoId}`, body: { projectId, submission: { content: 'On it' } } };
  if (kind < 0.7) return { path: '/api/comments', body: { projectId, submission: { content: 'Louder' } } };
  return { method: 'PUT', path: `/api/projects/${projectId}`, body: { submission: { owner: { notes: { public: `Louder, ${kind}` } } } } };
}

/** Writes as fast as possible; only 200, 201, 403 and 404 are allowed. */
async function write(writer, { ledger, signal, wrong, count, ...project }) {
  while (!signal.aborted) {
    const { status, body } = await ledger.send(writer, oneWrite(project));
    count(status < 300 ? 'writes taken' : 'writes refused');
    if (![200, 201, 403, 404].includes(status)) wrong(`a write during a change of rights: ${status} ${body?.code}`);
  }
}

/** Adds versions, whose files are moved before the event is appended: the longest time between checking a right and using it. */
async function writeVersions(writer, { projectId, signal, wrong, count }) {
  while (!signal.aborted) {
    const { status, body } = await addVersion(writer, projectId).catch(() => ({ status: 403 }));
    count(status === 201 ? 'versions taken' : 'versions refused');
    if (![201, 403, 404].includes(status)) wrong(`a version during a change of rights: ${status} ${body?.code}`);
    await pause(50);
  }
}

/** Revokes a right and restores it after a moment. */
async function takeAndGive(owner, { projectId, uid, random, ledger, wrong }) {
  const change = (permissions, rest) =>
    ledger.send(owner, {
      method: 'PUT',
      path: `/api/projects/${owner.uid}/editPermissions/${projectId}`,
      body: { permissionDiffs: [{ uid, permissions, ...rest }] },
    });
  const full = { comment: true, download: true };
  const taken = await oneOf(random, [
    () => change({ comment: false, download: false }, { write: false }),
    () => change(full, { write: false, removed: true }),
    () => change({ comment: true, download: false }, { write: false }),
  ])();
  if (taken.status !== 200) wrong(`the owner's own change: ${taken.status} ${taken.body?.code}`);
  await pause(between(random, 0, 40));
  const invite = { invitedUsers: [uid], writeAccess: true };
  const again = await change(full, { write: true });
  if (again.status === 400) await ledger.send(owner, { method: 'PUT', path: `/api/projects/${owner.uid}/inviteUsers/${projectId}`, body: invite });
  await pause(between(random, 0, 60));
}

export const fault = {
  name: 'race',
  async run({ random, short, folder, wrong, count }) {
    const program = await startProgram({ folder });
    const [owner, writer] = [await person(program.url, 'Ona'), await person(program.url, 'Wim')];
    const { projectId, versionId } = await aProject(owner, { collaborators: [writer] });
    const span = { versionId, start: 0.1, end: 0.5 };
    const { newRegion } = await owner.must('POST', '/api/regions', { projectId, submission: span });
    const { newTodo } = await owner.must('POST', '/api/todos', { projectId, submission: { content: 'Listen' } });
    const ledger = new Ledger({ isPatient: true });
    const stop = new AbortController();
    const asked = { projectId, versionId, regionId: newRegion._id, todoId: newTodo._id, random, ledger, signal: stop.signal, wrong, count };
    const writing = [...Array.from({ length: 8 }, () => write(writer, asked)), writeVersions(writer, asked)];
    for (let round = 0; round < (short ? 15 : 120); round += 1) {
      await takeAndGive(owner, { projectId, uid: writer.uid, random, ledger, wrong });
      count('rights taken');
    }
    stop.abort();
    await Promise.all(writing);
    allowRemovalBeforeAnswer(readLog(folder), { ledger, writer, count });
    count('deferred commands retried', ledger.deferred.size);
    const events = await compareAll({ folder, ledger, people: [owner], wrong, count });
    for (const sentence of trespasses(events, projectId)) wrong(sentence);
    await program.stop();
  },
};
