// Promise: restored copies of log, vault and files become one consistent installation
// Breaks: copies made under load are restored to new servers and settled, with kills midway
// Gate: backend/src/platform/moving/settle-restored.spec.ts "rolls the vault back to the end of the log, and gives the log a new identity"
// Gate: backend/src/platform/moving/settle-restored.spec.ts "keeps programs from starting after an interruption at any step, then continues with the same identity and end of the log"
import { execFile, spawn } from 'node:child_process';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from './lib/client.mjs';
import { comparePages } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { ADMIN_KEY, MASTER_KEY, operate, programs, refusedStart, START_MS, startPrograms } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { startServers } from './lib/servers.mjs';
import { readOpenedServersLog, readServersLog, vaultRecords } from './lib/servers-log.mjs';
import { listen } from './lib/socket.mjs';
import { aProject, addVersion, pageOf, PASSWORD, person, reactorsDone, signIn, until, untilReady } from './lib/studio.mjs';
import { Band } from './lib/work.mjs';

const ONLY = ['eventstore', 'mongodb', 's3'];
/** Two processes; in the short form one with all roles. */
const rolesOf = (short) => (short ? ['web,projector,reactor'] : ['web', 'projector,reactor']);
const YOUNGER = { email: 'younger.fault@example.org', password: PASSWORD, firstName: 'Younger', lastName: 'Fault' };
const REMOVED = '[removed user]';

const addUser = (url, user) => new Client(url).insist('POST', `/api/admin/${ADMIN_KEY}/users/addUser`, user);
const run = promisify(execFile);

/** Copies a server's files, including extended attributes, while it is writing. */
async function copyStore(from, to, name) {
  await mkdir(to, { recursive: true });
  await run('cp', ['-a', join(from, name), to]);
}

/** Copies the three stores in the documented order, with writes in between. */
async function copyStores({ servers, to, between: work }) {
  await copyStore(servers.eventstore.folder, join(to, 'eventstore'), 'events.log');
  await work();
  await copyStore(servers.mongodb.folder, join(to, 'mongodb'), 'data.log');
  await pause(200);
  await copyStore(servers.s3.folder, join(to, 's3'), 'data');
}

/** Runs `settle` in a process and kills it some time after its first change. @returns whether it was still running */
async function killedSettling(folder, env, milliseconds) {
  const child = spawn(process.execPath, ['backend/dist/operate.js', 'settle'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: folder, LOG_LEVEL: 'warn', ADMIN_KEY, MASTER_KEY, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  await until('settling has started', () => output.includes('dropping the read models') || child.exitCode !== null, START_MS);
  await pause(milliseconds);
  child.kill('SIGKILL');
  return (await ended) === null;
}

/** A studio on the servers, with a user to be erased and a page that stays open. */
async function open({ folder, env, random, short }) {
  const [web] = await startPrograms({ folder, roles: rolesOf(short), env });
  await untilReady(web);
  const band = await Band.form(web, { size: 2 });
  const [friend] = band.people;
  const gone = await person(web.url, 'Gone');
  const own = await aProject(gone, { projectName: 'Of a user who will be erased', collaborators: [friend] });
  const said = await gone.must('POST', '/api/comments', { projectId: own.projectId, submission: { content: 'Said in passing' } });
  const page = await listen(friend);
  const { log } = await page.join(band.projects[0].projectId);
  // Presence during the copies is tracked for longer.
  if (short) page.close();
  const ledger = new Ledger();
  const stop = new AbortController();
  const working = band.work(random, ledger, { writers: 4, signal: stop.signal });
  return { web, band, friend, gone: { who: gone, ...own, commentId: said.newComment._id }, page, log, ledger, end: () => (stop.abort(), working) };
}

/** The restored log must be a prefix of the original. */
function compareBeginning({ whole, restored, wrong }) {
  if (restored.length === 0 || restored.length >= whole.length) wrong(`${restored.length} of ${whole.length} events were restored`);
  restored.forEach(({ id }, at) => id === whole[at]?.id || wrong(`restored event ${at + 1} differs from the original`));
}

/** A user erased after the copies were made: their name, key and credentials must be gone. */
async function compareErased({ url, env, friend, gone, wrong }) {
  const { who, projectId, commentId } = gone;
  const login = await new Client(url).call('POST', '/api/auth/login', { email: who.email, password: PASSWORD });
  if (login.status !== 401) wrong(`an erased user could sign in: ${login.status}`);
  const { comments, project } = await pageOf(friend, projectId);
  const author = comments.find(({ _id }) => _id === commentId)?.user?.username;
  if (author !== REMOVED || project.owner.username !== REMOVED) wrong(`an erased user is shown as ${author} and ${project.owner.username}`);
  const key = (await vaultRecords(env, 'data-keys')).find(({ id }) => id === `user-${who.uid}`);
  if (key?.body.wrapped !== undefined) wrong('the key of an erased user is in the vault');
}

/** Everything in the log is available to users who sign in again, and work can continue. */
async function compareThere({ web, env, studio, position, wrong, count }) {
  const { band, gone, log, friend: before } = studio;
  band.moveTo(web.url);
  const left = await band.people[0].call('GET', `/api/projects/${before.uid}`);
  if (left.status !== 401) wrong(`a session from before the restore is answered ${left.status}`);
  const people = await Promise.all(band.people.map(({ email }) => signIn(web.url, email)));
  await reactorsDone(people[0]);
  const events = await readOpenedServersLog(env);
  count('projects compared', await comparePages({ events, owners: new Map(people.map((each) => [each.uid, each])), wrong }));
  await compareErased({ url: web.url, env, friend: people[0], gone, wrong });
  const younger = await addUser(web.url, YOUNGER);
  if (younger.status !== 201) wrong(`an address registered after the log was copied is not free: ${younger.status}`);
  const [{ projectId }] = band.projects;
  const current = async () => (await people[0].must('GET', `/api/projects/${people[0].uid}`)).projects.find(({ _id }) => _id === projectId).currentVersion;
  const isReady = await until('it is analysed', async () => (await current()).state === 'ready').then(
    () => true,
    () => false,
  );
  const currentVersion = await current();
  if (!isReady) {
    const parked = await vaultRecords(env, 'parked-reactions');
    wrong(`restored version ${currentVersion._id} is ${currentVersion.state}; parked: ${JSON.stringify(parked)}; ${web.output.slice(-600)}`);
  }
  const audio = await people[0].call('GET', currentVersion.versionUrl);
  if (!(await fetch(audio.headers.location)).ok) wrong('the audio of a restored version is missing');
  const page = await listen(people[0]);
  const back = await page.ask('in-project', { projectId, after: position, log });
  if (back.reload !== true || back.log === log) wrong(`a page from before the restore is answered ${JSON.stringify(back)}`);
  page.close();
  const { status } = await addVersion(people[0], projectId);
  if (status !== 201) wrong(`a version added after the restore is answered ${status}`);
}

/** Checks the operator commands on the servers' log while programs start. */
async function compareOperatorViews({ folder, env, short, wrong }) {
  const before = await readServersLog(env);
  const [whole, lines] = await Promise.all([operate(folder, ['events', 'verify'], { env }), short ? null : operate(folder, ['events', 'export'], { env })]);
  if (whole.code !== 0) wrong(`events verify ended with ${whole.code}: ${whole.out}${whole.err}`);
  if (lines === null) return;
  const exported = lines.out.trim().split('\n');
  before.forEach(({ id }, at) => exported[at]?.includes(id) || wrong(`events export omits event ${at + 1} of ${before.length}`));
}

/** Makes the copies under load, with an erasure and a refused `settle` in between. */
async function copyBesideWork({ servers, studio, folder, env, copies, short, wrong }) {
  const premature = operate(join(folder, 'premature'), ['settle'], { env });
  await pause(short ? 700 : 4_000);
  const [one, other] = studio.band.people;
  const [first, second] = studio.band.projects;
  const written = async () => {
    await addUser(studio.web.url, YOUNGER);
    await addVersion(other, second.projectId);
    await reactorsDone(one);
    await pause(short ? 0 : 2_000);
  };
  // Its analysis is written after the log was copied, while the reactor's checkpoint in the vault is already past it.
  await addVersion(one, first.projectId);
  await copyStores({ servers, to: copies, between: written });
  const { code, err } = await premature;
  if (code === 0 || !err.includes('stop every process first')) wrong(`settling with running programs exited with ${code}: ${err}`);
  const { uid } = studio.gone.who;
  if (short) await appendFile(env.ERASURES_FILE, `${JSON.stringify({ uid, at: Date.now() })}\n`);
  else await studio.friend.must('POST', `/api/admin/${ADMIN_KEY}/users/erase`, { user: uid });
  await studio.end();
  studio.page.close();
}

/** Settles the restored stores with kills midway, during which no program may start. @returns how often it was killed */
async function settleKilled({ folder, env, random, short, print, wrong }) {
  let killed = 0;
  for (let round = 0; round < (short ? 1 : 5); round += 1) {
    if (!(await killedSettling(join(folder, 'operator'), env, between(random, 0, 900)))) continue;
    killed += 1;
    const { code, hasStarted } = await refusedStart({ folder: join(folder, 'early'), env });
    if (code === 0 || hasStarted) wrong('a program starts on half-settled stores');
  }
  const settled = await operate(join(folder, 'operator'), ['settle'], { env, milliseconds: 120_000 });
  if (settled.code !== 0) throw new Error(`settle ended with ${settled.code}: ${settled.err}`);
  print(settled.out.trim());
  return killed;
}

export const fault = {
  name: 'settle',
  limitS: 300,
  needs: 'servers',
  async run({ random, short, folder, print, wrong, count }) {
    const list = join(folder, 'erasures.ndjson');
    const copies = join(folder, 'put-back');
    const servers = await startServers({ folder: join(folder, 'servers'), only: ONLY });
    const before = { ...servers.env, ERASURES_FILE: list };
    const studio = await open({ folder, env: before, random, short });
    await copyBesideWork({ servers, studio, folder, env: before, copies, short, wrong });
    const whole = await readServersLog(before);
    await Promise.all(programs().map((program) => program.kill()));

    const [there] = await Promise.all([startServers({ folder: copies, only: ONLY }), servers.stop()]);
    const env = { ...there.env, ERASURES_FILE: list };
    const restored = await readServersLog(env);
    compareBeginning({ whole, restored, wrong });
    const killed = await settleKilled({ folder, env, random, short, print, wrong });

    const operatorChecks = compareOperatorViews({ folder: join(folder, 'operator'), env, short, wrong });
    const [web] = await startPrograms({ folder: join(folder, 'again'), roles: rolesOf(short), env });
    await untilReady(web);
    await compareThere({ web, env, studio, position: whole.at(-1).position, wrong, count });
    await operatorChecks;
    count('events written', whole.length);
    count('restored events', restored.length);
    count('settlings killed', killed);
  },
};
