// Requests per second, compared with a minimal peer: a project's page against "hello" from Nest and Fastify, a comment against one row that
// Nest and Fastify insert into PostgreSQL, a 48 MB file against nginx. Both sides take turns, in separate processes, with the load on one CPU and the servers on the
// other. Peers that are not installed are reported as skipped. Parse Server is not included, because it needs its own MongoDB.
// Usage: node infra/bench/answers.mjs [--only page|comment|file|pieces] [--rounds 7] [--seconds 3] [--connections 32]   (build first)
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProgram } from '../faults/lib/program.mjs';
import { addVersion, aProject, person, reactorsDone, smallWav } from '../faults/lib/studio.mjs';
import { median } from './lib/backends.mjs';
import { closedLoop, memoryOf, pin, processorTimeOf } from './lib/load.mjs';
import { startBareNest, startNginx, startPostgres } from './lib/peers.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
  },
});
const [ROUNDS, SECONDS, CONNECTIONS] = [Number(values.rounds), Number(values.seconds), Number(values.connections)];
const CONTENT = 'The doubles drag behind the beat, listen at the chorus.';
const FILE_SECONDS = 2_990;
const PIECE = 2 ** 20;
const FILE_CONNECTIONS = 4;
/** CPUs of the load and of the servers together. */
const ANY = '0-1';

const asPerson = (who) => ({ authorization: `Bearer ${who.token}` });
const asJson = { 'content-type': 'application/json' };

/** A typical project: two versions, a dozen regions, forty comments. */
async function usedProject(who) {
  const { projectId, versionId } = await aProject(who);
  await addVersion(who, projectId);
  for (let at = 0; at < 12; at += 1) {
    await who.must('POST', '/api/regions', { projectId, submission: { versionId, start: at * 0.02, end: at * 0.02 + 0.7, label: 'Chorus', tag: 'general' } });
  }
  for (let at = 0; at < 40; at += 1) await who.must('POST', '/api/comments', { projectId, submission: { content: CONTENT } });
  return projectId;
}

const getLoad = (path, headers = {}) => ({ connections: CONNECTIONS, status: 200, request: () => ({ method: 'GET', path, headers }) });

const COMPARED = {
  page: {
    what: 'GET a project’s page',
    bar: 0.6,
    async open({ program, who }) {
      const path = `/api/projects/${await usedProject(who)}/visitor/${who.uid}`;
      const bare = await startBareNest();
      return {
        ours: { ...program, load: getLoad(path, asPerson(who)) },
        peer: { name: 'Nest and Fastify, hello', ...bare, load: getLoad('/') },
        stop: bare.stop,
      };
    },
  },
  comment: {
    what: 'POST a comment, 32 projects',
    bar: 1,
    async open({ program, who, folder }) {
      const projects = [];
      for (let at = 0; at < CONNECTIONS; at += 1) projects.push((await aProject(who)).projectId);
      const database = await startPostgres(folder);
      if (database === null) return { skipped: 'PostgreSQL is not installed' };
      const bare = await startBareNest({ POSTGRES_URL: database.url });
      const postLoad = (headers, path) => ({
        connections: CONNECTIONS,
        status: 201,
        request: (index) => ({
          method: 'POST',
          path,
          headers: { ...asJson, ...headers },
          body: JSON.stringify({ projectId: projects[index % projects.length], submission: { content: CONTENT } }),
        }),
      });
      return {
        ours: { ...program, load: postLoad(asPerson(who), '/api/comments') },
        peer: { name: 'Nest, Fastify, PostgreSQL row', ...bare, load: postLoad({}, '/comments') },
        alsoPinned: database.pid,
        stop: async () => {
          await bare.stop();
          await database.stop();
        },
      };
    },
  },
  file: { what: 'GET a file of 48 MB, bytes=0-', bar: 0.5, inMegabytes: true, open: (parts) => openFile(parts, () => 'bytes=0-') },
  pieces: {
    what: 'GET 1 MB pieces of it',
    bar: 0.5,
    inMegabytes: true,
    open: (parts) =>
      openFile(parts, (index) => {
        const start = (index * 7 * PIECE) % (46 * PIECE);
        return `bytes=${start}-${start + PIECE - 1}`;
      }),
  },
};

/** Serves the same file from Roughmix and from nginx. */
async function openFile({ program, who, folder }, range) {
  const wav = smallWav(FILE_SECONDS);
  const { projectId } = await aProject(who);
  const { status, body } = await addVersion(who, projectId, { wav });
  if (status !== 201) throw new Error(`adding the version returned ${status} ${JSON.stringify(body)}`);
  await reactorsDone(who);
  const root = join(folder, 'files');
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'song.wav'), wav);
  const nginx = await startNginx(folder, root);
  if (nginx === null) return { skipped: 'nginx is not installed' };
  const rangeLoad = (headers, path) => ({
    connections: FILE_CONNECTIONS,
    status: 206,
    request: (index) => ({ method: 'GET', path, headers: { ...headers, range: range(index) } }),
  });
  return {
    ours: { ...program, load: rangeLoad(asPerson(who), `/api/media/${body.version._id}/audio`) },
    peer: { name: 'nginx', ...nginx, load: rangeLoad({}, '/song.wav') },
    stop: nginx.stop,
  };
}

const spread = (numbers, digits) => `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)})`;

async function inTurns({ ours, peer }) {
  const rounds = { ours: [], peer: [] };
  for (const each of [ours, peer]) await closedLoop(each.url, { ...each.load, seconds: 1 });
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? ['ours', 'peer'] : ['peer', 'ours'];
    for (const side of order) {
      const { url, pid, load } = side === 'ours' ? ours : peer;
      const before = processorTimeOf(pid);
      const taken = await closedLoop(url, { ...load, seconds: SECONDS });
      rounds[side].push({ ...taken, busy: (processorTimeOf(pid) - before) / taken.answered });
    }
  }
  return rounds;
}

function rowsOf({ what, bar, inMegabytes = false }, rounds, names, memory) {
  const speed = (each) => (inMegabytes ? each.megabytesPerSecond : each.perSecond);
  const ratios = rounds.ours.map((each, at) => speed(each) / speed(rounds.peer[at]));
  return ['ours', 'peer'].map((side) => ({
    what,
    side: names[side],
    [inMegabytes ? 'MB/s' : 'per second']: spread(rounds[side].map(speed), 0),
    'CPU per request': `${median(rounds[side].map(({ busy }) => busy)).toFixed(2)} ms`,
    p99: `${median(rounds[side].map(({ p99 }) => p99)).toFixed(1)} ms`,
    failed: rounds[side].reduce((sum, { failed }) => sum + failed, 0),
    ratio: side === 'ours' ? spread(ratios, 2) : '',
    bar: side === 'ours' ? bar : '',
    memory: side === 'ours' ? memory : '',
  }));
}

async function compare(name) {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
  // The previous comparison may have pinned this process to one CPU, which its children would inherit.
  pin(process.pid, ANY);
  const started = await startProgram({ folder: join(folder, 'data') });
  try {
    const program = { url: started.url, pid: started.pid };
    const who = await person(program.url, 'Ben');
    const sides = await COMPARED[name].open({ program, who, folder });
    if (sides.skipped !== undefined) return console.log(`${COMPARED[name].what}: skipped, ${sides.skipped}`);
    try {
      await reactorsDone(who);
      const pinned = [sides.ours.pid, sides.peer.pid, ...(sides.alsoPinned ? [sides.alsoPinned] : [])].every((pid) => pin(pid, 1)) && pin(process.pid, 0);
      const before = memoryOf(program.pid).now;
      const rounds = await inTurns(sides);
      const memory = `${before} MB before, peak ${memoryOf(program.pid).most} MB`;
      console.table(rowsOf(COMPARED[name], rounds, { ours: 'Roughmix', peer: sides.peer.name }, memory));
      if (!pinned) console.log('Load and servers shared the CPUs: taskset is not installed, or there is only one CPU.');
    } finally {
      await sides.stop();
    }
  } finally {
    await started.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

for (const name of values.only === undefined ? Object.keys(COMPARED) : [values.only]) {
  if (!(name in COMPARED)) throw new Error(`--only takes one of ${Object.keys(COMPARED).join(', ')}`);
  await compare(name);
}
