// Promise: nothing of an erased user is left, whatever interrupts the erasure; an older backup restored with the list contains nothing of them
// Breaks: users are erased while a server runs, through it, and with kill -9 midway
// Gate: short form
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { Client } from './lib/client.mjs';
import { readLog } from './lib/log-fold.mjs';
import { ADMIN_KEY, operate, startProgram } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { listen } from './lib/socket.mjs';
import { aProject, pageOf, PASSWORD, person, setPicture, signIn, smallWav, until, upload } from './lib/studio.mjs';
import { plant, tracesIn, wordsIn, wordsInOpenedLog } from './lib/traces.mjs';

const REMOVED = '[removed user]';
/** What each person writes. */
const WORDS = [
  'first last title description summary comment todo label filename note privateNote sharedPrivateNote collection',
  'username later location about influences',
].flatMap((line) => line.split(' '));

/** A user to be erased, with a private project, one shared with a friend, and comments in the friend's. All their own words are planted. */
async function aPerson(program, random, friend, friends) {
  const words = Object.fromEntries(WORDS.map((name) => [name, plant(random)]));
  const who = await person(program.url, words.first, words.last);
  const own = await aProject(who, { projectName: words.title });
  await who.must('PUT', `/api/projects/${own.projectId}`, { submission: { description: words.description } });
  await who.must('POST', '/api/comments', { projectId: own.projectId, submission: { content: words.comment } });
  await who.must('POST', '/api/todos', { projectId: own.projectId, submission: { content: words.todo } });
  await who.must('POST', '/api/regions', {
    projectId: own.projectId,
    submission: { versionId: own.versionId, start: 0.1, end: 0.5, tag: 'mix', label: words.label },
  });
  const saveNotes = ({ projectId }, notes) => who.must('PUT', `/api/projects/${projectId}`, { submission: { owner: { notes } } });
  await saveNotes(own, { public: words.note, private: words.privateNote });
  const submission = { projectId: own.projectId, uploadId: await upload(who, own.projectId), tinySummary: words.summary, updateType: 'minor' };
  await who.must('POST', '/api/media', { submission });
  const announced = { purpose: 'version', filename: `${words.filename}.wav`, contentType: 'audio/wav', size: smallWav().length, projectId: own.projectId };
  await who.must('POST', '/api/storage/uploads', announced);
  const shared = await aProject(who, { projectName: 'Stays with a friend', collaborators: [friend] });
  await saveNotes(shared, { public: 'Notes of a friend', private: words.sharedPrivateNote });
  await who.must('POST', `/api/collections/${who.uid}`, { submission: { title: words.collection, projects: [own.projectId] } });
  await editProfile(who, words);
  await friend.must('PUT', `/api/projects/${friend.uid}/inviteUsers/${friends.projectId}`, { invitedUsers: [`${who.uid}-3`], writeAccess: true });
  await who.must('DELETE', `/api/users/${who.uid}/connections/${friend.uid}`);
  await friend.must('DELETE', `/api/users/${friend.uid}/connections/${who.uid}`);
  await friend.must('PUT', `/api/users/${friend.uid}/connections/${who.uid}`, {});
  await who.must('PUT', `/api/users/${who.uid}/blocked/${friend.uid}`, {});
  await friend.must('PUT', `/api/users/${friend.uid}/blocked/${who.uid}`, {});
  const said = await who.must('POST', '/api/comments', { projectId: friends.projectId, submission: { content: 'Said in passing' } });
  const planned = await who.must('POST', '/api/todos', { projectId: friends.projectId, submission: { content: 'Planned in passing' } });
  return { who, words, own, shared, commentId: said.newComment._id, todoId: planned.newTodo._id };
}

/** Sets a photo and a cover, and renames them twice. */
async function editProfile(who, { username, later, location, about, influences }) {
  for (const kind of ['photo', 'cover']) await setPicture(who, kind);
  await who.must('PUT', `/api/users/${who.uid}`, { username, info: { location, about, influences } });
  await who.must('PUT', `/api/users/${who.uid}`, { username: later });
}

/** Checks what others see of erased users. */
async function comparePages({ friend, friends, gone, wrong }) {
  const { comments, todos, project } = await pageOf(friend, friends.projectId);
  const { user, connections } = await friend.must('GET', '/api/users/fetchProfilePageUserData?href=/home');
  const { user: self } = await friend.must('GET', `/api/users/auth/${friend.uid}`);
  if (user.uid !== friend.uid || connections.length > 0 || Object.keys(self.connections).length > 0) wrong('an erased user is still a connection');
  const { users: blocked } = await friend.must('GET', `/api/users/${friend.uid}/blocked`);
  if (blocked.length > 0 || self.blocked.length > 0) wrong('an erased user is still blocked');
  for (const { who, commentId, todoId, shared, own } of gone) {
    const authors = [comments.find(({ _id }) => _id === commentId), todos.find(({ _id }) => _id === todoId)].map((post) => post?.user?.username);
    if (authors.some((author) => author !== REMOVED)) wrong(`a comment and a todo of an erased user are by ${authors.join(' and ')}`);
    if (project.addedUsers.some(({ uid }) => uid === who.uid)) wrong('an erased user is still a member');
    const theirs = (await pageOf(friend, shared.projectId)).project;
    if (theirs.owner.username !== REMOVED) wrong(`the owner of a remaining project is ${theirs.owner.username}`);
    if (theirs.owner.notes.public !== 'Notes of a friend') wrong(`the public note of a remaining project is ${theirs.owner.notes.public}`);
    const { status } = await friend.call('GET', `/api/projects/${own.projectId}/visitor/${friend.uid}`);
    if (status !== 404) wrong(`an erased user's private project answers ${status}`);
    const photo = await friend.call('GET', `/api/users/${who.uid}/photo`);
    if (photo.status !== 200) wrong(`the photo of an erased user answers ${photo.status}`);
  }
}

/** Vault records that must be removed with a user. */
function leftInVault(folder, { who, own }) {
  const vault = new DatabaseSync(join(folder, 'vault.db'), { readOnly: true, timeout: 5_000 });
  try {
    const rows = vault.prepare('SELECT collection, id, body FROM records').all();
    const keys = new Set([`user-${who.uid}`, `project-${own.projectId}`]);
    const isLeft = ({ collection, id, body }) =>
      collection === 'data-keys'
        ? keys.has(id)
        : ['accounts', 'reserved-emails', 'reserved-slugs', 'sessions', 'uploads', 'erasures'].includes(collection) && (id + body).includes(who.uid);
    return rows.filter(isLeft).map(({ collection, id }) => `${collection}/${id}`);
  } finally {
    vault.close();
  }
}

/** Nothing of erased users may be left in a data folder, neither decryptable nor in any byte. */
async function compareTraces({ folder, gone, wrong, count }) {
  const events = readLog(folder);
  for (const one of gone) {
    for (const record of leftInVault(folder, one)) wrong(`left in the vault: ${record}`);
    const pictures = (await readdir(join(folder, 'blobs'), { recursive: true })).filter((path) => path.includes(`${one.who.uid}/Images/`));
    if (pictures.length > 0) wrong(`left of their pictures: ${pictures.join(', ')}`);
    const erased = events.filter(({ type, data }) => type === 'UserErased' && data.uid === one.who.uid).length;
    if (erased !== 1) wrong(`${erased} events record the erasure`);
    for (const name of wordsInOpenedLog(folder, one.words)) wrong(`the decrypted log still contains their ${name}`);
    for (const { file, names } of await tracesIn(folder, one.words)) wrong(`${file} contains their ${names.join(', ')}`);
    count('words searched for', Object.keys(one.words).length);
  }
}

const noted = async (file) =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).uid);

export const fault = {
  name: 'erase',
  async run({ random, short, folder, print, wrong, count }) {
    const [data, list, backups, restored] = ['data', 'erasures.ndjson', 'backups', 'restored'].map((name) => join(folder, name));
    await mkdir(data);
    const env = { ERASURES_FILE: list, LOG_LEVEL: 'trace' };
    let program = await startProgram({ folder: data, env });
    let friend = await person(program.url, 'Friend');
    const friends = await aProject(friend, { projectName: 'Of a friend' });
    const gone = [];
    for (let at = 0; at < (short ? 1 : 6); at += 1) gone.push(await aPerson(program, random, friend, friends));
    const backup = await operate(data, ['backup', '--to', backups], { env });
    if (backup.code !== 0) wrong(`backup ended with ${backup.code}: ${backup.err}`);

    // The spec of erasures covers one without a kill.
    const [whole, inPieces] = short ? [[], gone] : [gone.slice(0, 1), gone.slice(1)];
    for (const one of whole) await eraseThroughServer({ program, data, env, one, wrong });
    await compareTraces({ folder: data, gone: whole, wrong, count });
    for (const one of inPieces) program = await eraseInPieces({ program, data, env, one, random, print, wrong });
    friend = friend.at(program.url);
    await comparePages({ friend, friends, gone, wrong });
    const uids = await noted(list);
    for (const { who } of gone)
      if (uids.filter((uid) => uid === who.uid).length !== 1) wrong(`${who.uid} is noted ${uids.filter((uid) => uid === who.uid).length} times`);
    const output = program.output;
    await program.stop();
    await compareTraces({ folder: data, gone, wrong, count });
    for (const { words } of gone) for (const name of wordsIn(output, words)) wrong(`the program logged their ${name}`);
    if (!short) await refuseWithoutList({ restored, backups, env, list, wrong });
    await compareRestored({ restored, backups, env, friend, friends, gone, wrong, count });
    count('people erased', gone.length);
  },
};

/** Restores the backup from before the erasures. */
async function compareRestored({ restored, backups, env, friend, friends, gone, wrong, count }) {
  const done = await operate(restored, ['restore', '--from', backups], { env });
  if (done.code !== 0) wrong(`restore ended with ${done.code}: ${done.err}`);
  await compareTraces({ folder: restored, gone, wrong, count });
  const again = await startProgram({ folder: restored, env });
  await comparePages({ friend: await signIn(again.url, friend.email), friends, gone, wrong });
  for (const { who } of gone) {
    const { status } = await new Client(again.url).call('POST', '/api/auth/login', { email: who.email, password: PASSWORD });
    if (status !== 401) wrong(`an erased user could sign in after the restore: ${status}`);
  }
  await again.stop();
  await compareTraces({ folder: restored, gone, wrong, count });
}

/** Erases by operator command through the running server: sockets and sessions end at once. */
async function eraseThroughServer({ program, data, env, one, wrong }) {
  const socket = await listen(one.who);
  const { code, err } = await operate(data, ['users', 'erase', one.who.email], { env: { ...env, PORT: String(program.port) } });
  if (code !== 0) wrong(`users erase ended with ${code}: ${err}`);
  await socket.disconnected(30_000).catch(() => wrong('a socket of an erased user stays open'));
  const { status } = await one.who.call('GET', `/api/users/auth/${one.who.uid}`);
  if (status !== 401) wrong(`a session of an erased user answers ${status}`);
  socket.close();
}

/** Killed during an erasure; the next start, or repeating the call, completes it. */
async function eraseInPieces({ program, data, env, one, random, print, wrong }) {
  const milliseconds = between(random, 0, 250);
  const asked = new Client(program.url).call('POST', `/api/admin/${ADMIN_KEY}/users/erase`, { user: one.who.uid }, { key: randomUUID() });
  await pause(milliseconds);
  await program.kill();
  const { status } = await asked;
  print(`killed ${milliseconds} ms into an erasure (it answered ${status})`);
  const { code, err } = await operate(data, ['users', 'erase', one.who.uid], { env });
  if (code !== 0) wrong(`users erase on a stopped folder ended with ${code}: ${err}`);
  return startProgram({ folder: data, env });
}

async function refuseWithoutList({ restored, backups, env, list, wrong }) {
  const missing = await operate(restored, ['restore', '--from', backups], { env: { ...env, ERASURES_FILE: `${list}.lost` } });
  if (missing.code === 0) wrong('a restore proceeded without the list of erasures');
  const foreign = join(backups, '..', 'foreign.ndjson');
  await writeFile(foreign, '');
  const elsewhere = await operate(`${restored}-2`, ['restore', '--from', backups], {
    env: { ...env, ERASURES_FILE: foreign, MASTER_KEY: 'another-master-key-of-64-bits-and-more-4f1d' },
  });
  if (elsewhere.code === 0) wrong('a restore proceeded with another master key');
  await until('nothing was written by refused restores', async () => true);
}
