// Promise: texts, addresses and secrets are only in the files where they belong
// Breaks: every kind of text is a planted word, in successful and failing calls; afterwards every byte that the run wrote is searched for them
// Gate: short form
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { secretsAstray, socketsAstray } from './lib/astray-calls.mjs';
import { Client } from './lib/client.mjs';
import { freePort } from './lib/free-port.mjs';
import { hasFailedToPush, subscribeTo } from './lib/planted-pushes.mjs';
import { ADMIN_KEY, MASTER_KEY, operate, startProgram } from './lib/program.mjs';
import { refusedCalls } from './lib/refused-calls.mjs';
import { PASSWORD, reactorsDone, setPicture, smallWav } from './lib/studio.mjs';
import { plant, tracesIn, wordsIn } from './lib/traces.mjs';
import { askFromOutside, INQUIRIES, leaveWaiting } from './lib/visitor-texts.mjs';

/** What only its writer may read. */
const PRIVATE = ['privateNote', 'collectionTitle', 'collectionRenamed'];
/** Stored, but readable nowhere. */
const SEALED = ['neverPut'];
/** Words that are stored, and readable somewhere. */
const KEPT = [
  'email',
  'firstName',
  'lastName',
  'title',
  'description',
  'message',
  'summary',
  'comment',
  'todo',
  'todoReply',
  'editedTodo',
  'reply',
  'label',
  'filename',
  'imageName',
  'edited',
  'publicNote',
  'username',
  'welcomeFirst',
  'welcomeLast',
  ...'location about influences'.split(' '),
  ...PRIVATE,
  ...INQUIRIES,
];

/** The files that may contain each kind of word; others may appear nowhere, and none in log, vault, names of files and backups. */
const ALLOWED_IN = {
  'read.db': KEPT.filter((name) => name !== 'email'),
  outbox: ['email'],
};
/** Never in an answer, not even to the sender. */
const SECRETS = [
  'password wrongPassword refusedPassword welcomePassword welcomeRefused adminWrong bearer basic cookie socketToken',
  'storageToken resetToken inviteToken unsubscribeToken resetPassword pushEndpoint pushAuth',
].flatMap((line) => line.split(' '));
/** What the run makes the security channel say. */
const SECURITY_EVENTS = [
  'session.started',
  'session.refused',
  'access.refused',
  'account.created',
  'admin.called',
  'password.changed',
  'password.reset',
  'backup.made',
];
/** Sent in requests that are refused. */
const REFUSED = [
  'unknownEmail refusedEmail query field json nested long guest stranger reused path host agent referer forwarded packet name body notAudio',
  'refusedEndpoint endedEndpoint conflictingNote refusedNote refusedCollection refusedTodo formField empty trace spelled doubled upper longAddress admin2',
].flatMap((line) => line.split(' '));

/** Records every answer, to search them all for secrets. */
class Watched extends Client {
  static answers = [];

  async call(method, path, body, options) {
    const answer = await super.call(method, path, body, options);
    Watched.answers.push({
      what: `${method} ${path.slice(0, 60)}`,
      uid: this.uid,
      text: Buffer.isBuffer(answer.body) ? answer.body : JSON.stringify(answer.body),
    });
    return answer;
  }
}

const watched = (url, token = null) => new Watched(url, token);

async function login(url, email, password) {
  const answer = await watched(url).call('POST', '/api/auth/login', { email, password });
  if (answer.status !== 200) throw new Error(`login: ${answer.status}`);
  const [, token] = /roughmix_session=([^;]+)/.exec(String(answer.headers['set-cookie']));
  return Object.assign(watched(url, token), { uid: answer.body.user.uid, username: answer.body.user.username });
}

async function register(url, { email, password, firstName, lastName }) {
  await watched(url).must('POST', `/api/admin/${ADMIN_KEY}/users/addUser`, { email, password, firstName, lastName });
  return login(url, email, password);
}

/** Sends every kind of user text once. */
async function writeEverything({ ana, bob, words }) {
  const { newProject } = await ana.must('POST', '/api/projects/newProject', { submission: { projectName: words.title, description: words.description } });
  const projectId = newProject._id;
  await subscribeTo(bob, words);
  const wav = smallWav();
  const asked = { purpose: 'version', filename: `${words.filename}.wav`, contentType: 'audio/wav', size: wav.length, projectId };
  const put = await ana.must('POST', '/api/storage/uploads', asked);
  await watched(ana.url).must('PUT', put.url, wav, { headers: put.headers });
  const initialVersion = { projectId, uploadId: put.uploadId, tinySummary: words.summary };
  const { version } = await ana.must('POST', '/api/media/newProject', { initialVersion });
  await ana.must('PUT', `/api/projects/${ana.uid}/inviteUsers/${projectId}`, { invitedUsers: [`${bob.uid}-3`], writeAccess: true, message: words.message });
  const { newComment } = await ana.must('POST', '/api/comments', { projectId, submission: { content: `${words.comment} "quoted" \\ <b>&ü` } });
  await ana.must('PUT', `/api/comments/${newComment._id}`, { projectId, submission: { content: words.edited } });
  await bob.must('POST', `/api/comments/${newComment._id}/reply`, { projectId, submission: { content: words.reply } });
  const { newTodo } = await ana.must('POST', '/api/todos', { projectId, submission: { content: words.todo } });
  await ana.must('PUT', `/api/todos/${newTodo._id}`, { submission: { content: words.editedTodo, dueDate: 0 } });
  await bob.must('POST', `/api/todos/${newTodo._id}`, { projectId, submission: { content: words.todoReply } });
  const notes = { public: words.publicNote, private: words.privateNote };
  await ana.must('PUT', `/api/projects/${projectId}`, { submission: { owner: { notes } } });
  const collect = (title) => ana.must('POST', `/api/collections/${ana.uid}`, { submission: { title, projects: [projectId] } });
  await collect(words.collectionTitle);
  const { newCollection } = await collect('Untitled');
  await ana.must('PUT', `/api/collections/${ana.uid}/${newCollection._id}`, { title: words.collectionRenamed });
  await ana.must('POST', '/api/regions', { projectId, submission: { versionId: version._id, start: 0.1, end: 0.6, tag: 'mix', label: words.label } });
  await ana.must('POST', '/api/comments', { projectId, submission: { type: 'image', content: { filename: `${words.imageName}.png` } } });
  await ana.must('POST', '/api/storage/uploads', { ...asked, filename: `${words.neverPut}.wav` });
  const { location, about, influences, username } = words;
  await ana.must('PUT', `/api/users/${ana.uid}`, { username, info: { location, about, influences } });
  for (const method of ['DELETE', 'PUT']) await bob.must(method, `/api/users/${bob.uid}/connections/${ana.uid}`);
  for (const method of ['PUT', 'DELETE']) await bob.must(method, `/api/users/${bob.uid}/blocked/${ana.uid}`);
  for (const who of [ana, bob, watched(ana.url)]) await who.must('GET', `/api/users/fetchProfilePageUserData?href=/@${username.toLowerCase()}`);
  await askFromOutside(watched(ana.url), words);
  await acceptWelcome({ url: ana.url, words });
  return { projectId, versionId: version._id, uploadUrl: put.url };
}

/** Completes the profile of a new account, after a password that is refused. */
async function acceptWelcome({ url, words }) {
  const who = await register(url, { email: 'welcome@example.org', password: PASSWORD });
  await setPicture(who, 'photo');
  const submit = (newPassword) => who.call('PUT', `/api/users/${who.uid}`, { firstName: words.welcomeFirst, lastName: words.welcomeLast, newPassword });
  await submit(`${words.welcomeRefused} x`);
  const { status } = await submit(words.welcomePassword);
  if (status !== 200) throw new Error(`the welcome form was answered ${status}`);
}

/** Deletes files of a running program, which causes errors with status 500. */
async function brokenFiles({ folder, ana, made }) {
  // An analysis in progress creates and removes files.
  await reactorsDone(ana);
  for (const entry of await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await rm(join(entry.parentPath, entry.name));
  }
  for (const what of ['audio', 'download', 'peaks']) await ana.call('GET', `/api/media/${made.versionId}/${what}`);
}

const FOLDERS = ['blobs', 'outbox'];
const placeOf = (file) => FOLDERS.find((folder) => file.replace(/^the name of /, '').startsWith(folder)) ?? file.replace(/-(wal|shm)$/, '');

async function compareFiles(folder, words, wrong) {
  for (const { file, names } of await tracesIn(folder, words)) {
    const may = ALLOWED_IN[placeOf(file)] ?? [];
    const astray = names.filter((name) => !may.includes(name));
    if (astray.length > 0) wrong(`${file} holds ${astray.join(', ')}`);
  }
}

/** In a backup no file may contain any word. */
async function compareWithBackups(folder, words, wrong) {
  for (const name of ['data', 'backups']) await compareFiles(join(folder, name), words, wrong);
}

export const fault = {
  name: 'planted-words',
  async run({ random, folder, wrong, count }) {
    const data = join(folder, 'data');
    await mkdir(data);
    const env = { LOG_LEVEL: 'trace', ERASURES_FILE: join(folder, 'erasures.ndjson'), THROTTLE_ADMIN_KEYS: '1000' };
    const words = Object.fromEntries([...SECRETS, ...REFUSED, ...KEPT, ...SEALED].map((name) => [name, plant(random)]));
    let program = await startProgram({ folder: data, env });
    const { url } = program;
    const ana = await register(url, { ...words, email: `${words.email}@example.org` });
    const [bob, stranger] = [await plain(url, 'Bob'), await plain(url, 'Stranger')];
    const guest = await theGuest(url);
    const made = await writeEverything({ ana, bob, words });
    const tokens = Object.fromEntries([ana, bob, stranger, guest].map(({ token }, at) => [`token${at}`, token]));
    const all = { ...words, ...tokens, adminKey: ADMIN_KEY, masterKey: MASTER_KEY, uploadUrl: made.uploadUrl.split('/').at(-1) };
    const around = { watched, url, ana, bob, guest, stranger, words, made };
    await refusedCalls(around);
    await secretsAstray(around);
    await socketsAstray(around);
    await compareFiles(data, all, wrong);
    await brokenFiles({ folder: data, ana, made });
    let { output } = program;
    await program.stop();
    output += program.output;
    const withoutMailServer = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, SUPPORT_EMAIL: 'support@example.org' };
    program = await startProgram({ folder: data, env: { ...env, ...withoutMailServer } });
    await leaveWaiting(watched(program.url), words);
    await compareFiles(data, all, wrong);
    await program.stop();
    const backup = await operate(data, ['backup', '--to', join(folder, 'backups')], { env });
    output += program.output + backup.out + backup.err;

    const unseen = SECURITY_EVENTS.filter((event) => !output.includes(`"event":"${event}"`));
    if (unseen.length > 0) wrong(`the security channel does not say ${unseen.join(', ')}, so the search of it shows nothing`);
    if (!hasFailedToPush(output)) wrong('no push message failed, so the search shows nothing about endpoints');
    for (const name of wordsIn(output, all)) wrong(`the program logged ${name}: ${lineWith(output, all[name])}`);
    await compareWithBackups(folder, all, wrong);
    await aProjectLeft(wrong, data, all);
    compareAnswers({ words: all, owner: ana, wrong, count });
    count('words planted', Object.keys(all).length);
    count('bytes of log lines', output.length);
  },
};

const plain = (url, firstName) => register(url, { email: `${firstName}@example.org`, password: PASSWORD, firstName, lastName: 'Plain' });

async function theGuest(url) {
  const { headers } = await watched(url).call('POST', '/api/auth/guest', {});
  return watched(url, /roughmix_session=([^;]+)/.exec(String(headers['set-cookie']))[1]);
}

/** Checks that each allowed word is found, so that the search itself is known to work. */
async function aProjectLeft(wrong, data, words) {
  const found = new Set((await tracesIn(data, words)).flatMap(({ names }) => names));
  for (const name of KEPT) if (!found.has(name) && !['comment', 'todo'].includes(name)) wrong(`${name} was not found where it belongs`);
}

const lineWith = (output, word) => (output.split('\n').find((line) => line.toLowerCase().includes(String(word).toLowerCase())) ?? 'encoded').slice(0, 300);

function compareAnswers({ words, owner, wrong, count }) {
  const never = Object.fromEntries(Object.entries(words).filter(([name]) => SECRETS.includes(name) || /^(?:token|adminKey|masterKey)/.test(name)));
  const ofOwner = Object.fromEntries([...PRIVATE, ...INQUIRIES].map((name) => [name, words[name]]));
  for (const { what, uid, text } of Watched.answers) {
    for (const name of wordsIn(text ?? '', never)) wrong(`an answer contains ${name}: ${what}`);
    const foreign = uid === owner.uid ? [] : wordsIn(text ?? '', ofOwner);
    for (const name of foreign) wrong(`an answer to someone else contains ${name}: ${what}`);
  }
  count('answers searched', Watched.answers.length);
  Watched.answers.length = 0;
}
