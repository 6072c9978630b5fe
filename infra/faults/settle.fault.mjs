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
/** Two processes; in short one, which does all. */
const rolesOf = (short) => (short ? ['web,projector,reactor'] : ['web', 'projector,reactor']);
const YOUNGER = { email: 'younger.fault@example.org', password: PASSWORD, firstName: 'Younger', lastName: 'Fault' };
const REMOVED = '[removed user]';

const addUser = (url, user) => new Client(url).insist('POST', `/api/admin/${ADMIN_KEY}/users/addUser`, user);
const run = promisify(execFile);

/** What a server keeps, copied as it lies there while the server writes, extended attributes too. */
async function copyStore(from, to, name) {
  await mkdir(to, { recursive: true });
  await run('cp', ['-a', join(from, name), to]);
}

/** Copies of the three stores in the documented order, with time for more to be written between them. */
async function copyStores({ servers, to, between: work }) {
  await copyStore(servers.eventstore.folder, join(to, 'eventstore'), 'events.log');
  await work();
  await copyStore(servers.mongodb.folder, join(to, 'mongodb'), 'data.log');
  await pause(200);
  await copyStore(servers.s3.folder, join(to, 's3'), 'data');
}

/** A settling as a process of its own, killed some time after it began to change something. @returns whether it was still running */
async function killedSettling(folder, env, milliseconds) {
  const child = spawn(process.execPath, ['backend/dist/operate.js', 'settle'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: folder, LOG_LEVEL: 'warn', ADMIN_KEY, MASTER_KEY, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (told += text));
  const ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  await until('it settles', () => told.includes('dropping the read models') || child.exitCode !== null, START_MS);
  await pause(milliseconds);
  child.kill('SIGKILL');
  return (await ended) === null;
}

/** A studio at work on the servers, somebody who will be erased, and somebody whose page stays open. */
async function open({ folder, env, random, short }) {
  const [web] = await startPrograms({ folder, roles: rolesOf(short), env });
  await untilReady(web);
  const band = await Band.form(web, { size: 2 });
  const [friend] = band.people;
  const gone = await person(web.url, 'Gone');
  const own = await aProject(gone, { projectName: 'Of somebody who will be erased', collaborators: [friend] });
  const said = await gone.must('POST', '/api/comments', { projectId: own.projectId, submission: { content: 'Said in passing' } });
  const page = await listen(friend);
  const { log } = await page.join(band.projects[0].projectId);
  // Who looks at something while the copies are made is watched for longer.
  if (short) page.close();
  const ledger = new Ledger();
  const stop = new AbortController();
  const working = band.work(random, ledger, { writers: 4, signal: stop.signal });
  return { web, band, friend, gone: { who: gone, ...own, commentId: said.newComment._id }, page, log, ledger, end: () => (stop.abort(), working) };
}

/** The copies hold the beginning of the log; what came later is in none of it. */
function compareBeginning({ whole, restored, wrong }) {
  if (restored.length === 0 || restored.length >= whole.length) wrong(`${restored.length} events were put back, of ${whole.length}`);
  restored.forEach(({ id }, at) => id === whole[at]?.id || wrong(`event ${at + 1} that was put back is not the one that was written`));
}

/** Somebody who was erased after the copies were made: their name, their key and their way in are gone. */
async function compareErased({ url, env, friend, gone, wrong }) {
  const { who, projectId, commentId } = gone;
  const login = await new Client(url).call('POST', '/api/auth/login', { email: who.email, password: PASSWORD });
  if (login.status !== 401) wrong(`somebody erased signs in: ${login.status}`);
  const { comments, project } = await pageOf(friend, projectId);
  const author = comments.find(({ _id }) => _id === commentId)?.user?.username;
  if (author !== REMOVED || project.owner.username !== REMOVED) wrong(`somebody erased is shown as ${author} and ${project.owner.username}`);
  const key = (await vaultRecords(env, 'data-keys')).find(({ id }) => id === `user-${who.uid}`);
  if (key?.body.wrapped !== undefined) wrong('the key of somebody erased is in the vault');
}

/** Everything is there again as the log tells it, for people who sign in anew, and goes on. */
async function compareThere({ web, env, studio, position, wrong, count }) {
  const { band, gone, log, friend: before } = studio;
  band.moveTo(web.url);
  const left = await band.people[0].call('GET', `/api/projects/${before.uid}`);
  if (left.status !== 401) wrong(`a session of before the restore is answered ${left.status}`);
  const people = await Promise.all(band.people.map(({ email }) => signIn(web.url, email)));
  await reactorsDone(people[0]);
  const events = await readOpenedServersLog(env);
  count('projects compared', await comparePages({ events, owners: new Map(people.map((each) => [each.uid, each])), wrong }));
  await compareErased({ url: web.url, env, friend: people[0], gone, wrong });
  const younger = await addUser(web.url, YOUNGER);
  if (younger.status !== 201) wrong(`an address that was taken after the log was copied is not free: ${younger.status}`);
  const [{ projectId }] = band.projects;
  const current = async () => (await people[0].must('GET', `/api/projects/${people[0].uid}`)).projects.find(({ _id }) => _id === projectId).currentVersion;
  const isReady = await until('it is analysed', async () => (await current()).state === 'ready').then(
    () => true,
    () => false,
  );
  const currentVersion = await current();
  if (!isReady) {
    const parked = await vaultRecords(env, 'parked-reactions');
    wrong(`version ${currentVersion._id} that was put back is ${currentVersion.state}; parked: ${JSON.stringify(parked)}; ${web.output.slice(-600)}`);
  }
  const audio = await people[0].call('GET', currentVersion.versionUrl);
  if (!(await fetch(audio.headers.location)).ok) wrong('the audio of a version that was put back is not there');
  const page = await listen(people[0]);
  const back = await page.ask('in-project', { projectId, after: position, log });
  if (back.reload !== true || back.log === log) wrong(`a page of before the restore is answered ${JSON.stringify(back)}`);
  page.close();
  const { status } = await addVersion(people[0], projectId);
  if (status !== 201) wrong(`a version added after the restore is answered ${status}`);
}

/** What operators see of the log on the servers, also beside programs that start. */
async function compareTold({ folder, env, short, wrong }) {
  const before = await readServersLog(env);
  const [whole, lines] = await Promise.all([operate(folder, ['events', 'verify'], { env }), short ? null : operate(folder, ['events', 'export'], { env })]);
  if (whole.code !== 0) wrong(`events verify ended with ${whole.code}: ${whole.out}${whole.err}`);
  if (lines === null) return;
  const told = lines.out.trim().split('\n');
  before.forEach(({ id }, at) => told[at]?.includes(id) || wrong(`events export leaves out event ${at + 1} of ${before.length}`));
}

/** Copies made while people work, and somebody who is erased, and a settling that is asked for, meanwhile. */
async function copyBesideWork({ servers, studio, folder, env, copies, short, wrong }) {
  const beside = operate(join(folder, 'beside'), ['settle'], { env });
  await pause(short ? 700 : 4_000);
  const [one, other] = studio.band.people;
  const [first, second] = studio.band.projects;
  const written = async () => {
    await addUser(studio.web.url, YOUNGER);
    await addVersion(other, second.projectId);
    await reactorsDone(one);
    await pause(short ? 0 : 2_000);
  };
  // Its analysis is written after the log was copied, and the reactor has passed it in the vault.
  await addVersion(one, first.projectId);
  await copyStores({ servers, to: copies, between: written });
  const { code, err } = await beside;
  if (code === 0 || !err.includes('stop every process first')) wrong(`settling beside programs ended with ${code}: ${err}`);
  const { uid } = studio.gone.who;
  if (short) await appendFile(env.ERASURES_FILE, `${JSON.stringify({ uid, at: Date.now() })}\n`);
  else await studio.friend.must('POST', `/api/admin/${ADMIN_KEY}/users/erase`, { user: uid });
  await studio.end();
  studio.page.close();
}

/** Settles what was put back, killed in the middle, when nothing starts on it. @returns how often it was killed */
async function settleKilled({ folder, env, random, short, say, wrong }) {
  let killed = 0;
  for (let round = 0; round < (short ? 1 : 5); round += 1) {
    if (!(await killedSettling(join(folder, 'operator'), env, between(random, 0, 900)))) continue;
    killed += 1;
    const { code, hasStarted } = await refusedStart({ folder: join(folder, 'early'), env });
    if (code === 0 || hasStarted) wrong('a program starts on what is half settled');
  }
  const settled = await operate(join(folder, 'operator'), ['settle'], { env, milliseconds: 120_000 });
  if (settled.code !== 0) throw new Error(`settle ended with ${settled.code}: ${settled.err}`);
  say(settled.out.trim());
  return killed;
}

export const fault = {
  name: 'settle',
  about: 'copies of log, vault and files made beside a working studio are put back into new servers and settled, killed in the middle: one installation again',
  short: true,
  limitS: 300,
  needs: 'servers',
  async run({ random, short, folder, say, wrong, count }) {
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
    const killed = await settleKilled({ folder, env, random, short, say, wrong });

    const told = compareTold({ folder: join(folder, 'operator'), env, short, wrong });
    const [web] = await startPrograms({ folder: join(folder, 'again'), roles: rolesOf(short), env });
    await untilReady(web);
    await compareThere({ web, env, studio, position: whole.at(-1).position, wrong, count });
    await told;
    count('events written', whole.length);
    count('events put back', restored.length);
    count('settlings killed', killed);
  },
};
