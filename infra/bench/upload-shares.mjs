// How long one person's upload takes alone, while another account uses 20 large uploads at once, and while it sends 20 FLAC files that do not state their length.
// An upload: announced, put, used as a version. With --s3 the files are on a server, so that each one is copied to the temporary folder before it is read.
// Usage: node infra/bench/upload-shares.mjs [--megabytes 47] [--uploads 20] [--flacs 20] [--rounds 5] [--s3]
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { silentFlac } from '../../backend/dist/testing/silent-flac.js';
import { startProgram } from '../faults/lib/program.mjs';
import { endServers, startServers } from '../faults/lib/servers.mjs';
import { aProject, person, smallWav, upload, until } from '../faults/lib/studio.mjs';
import { median } from './lib/backends.mjs';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '47' },
    uploads: { type: 'string', default: '20' },
    flacs: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '5' },
    s3: { type: 'boolean', default: false },
  },
});
const [megabytes, uploads, flacs, rounds] = [values.megabytes, values.uploads, values.flacs, values.rounds].map(Number);
/** Uploads of one project that may be ready for use at the same time; of an account it is 20. */
const SLOTS = 10;
const ANALYSIS_MS = 1_800_000;
const WAV_BYTES_PER_SECOND = 16_000;
const large = smallWav((megabytes * 1_000_000 - 44) / WAV_BYTES_PER_SECOND);
/** About 90 kB that take many seconds to decode. */
const endless = Buffer.from(silentFlac({ seconds: 7_200, claimedSeconds: 0 }));

const use = (who, projectId, uploadId) => who.insist('POST', '/api/media', { submission: { projectId, uploadId, tinySummary: 'Louder' } }, { isPatient: true });
const seconds = (milliseconds) => Number((milliseconds / 1_000).toFixed(2));
const isAnalysed = async (who, versionId) => (await who.must('GET', `/api/media/${versionId}`)).versions[0].state !== 'analysing';

/** One whole upload. @returns its milliseconds until the answer, and until its analysis is known */
async function measured(who, projectId) {
  const begun = performance.now();
  const { status, body } = await use(who, projectId, await upload(who, projectId, large, 'take.wav'));
  if (status !== 201) throw new Error(`an upload was answered ${status}`);
  const answered = performance.now() - begun;
  const analysed = until('the version is analysed', () => isAnalysed(who, body.versionId), ANALYSIS_MS).then(() => performance.now() - begun);
  // Awaited later, and not at all after a failure elsewhere, which would otherwise hide behind this one's.
  analysed.catch(() => undefined);
  return { answered, analysed };
}

/** Uploads files to as many projects as their slots need, then uses all at once. @returns a function that starts this, and resolves with the answers */
async function storm(who, count, bytes, name) {
  const ready = [];
  for (let at = 0, projectId; at < count; at += 1) {
    if (at % SLOTS === 0) ({ projectId } = await aProject(who));
    ready.push([projectId, await upload(who, projectId, bytes, name)]);
  }
  return () => Promise.all(ready.map(([projectId, uploadId]) => use(who, projectId, uploadId)));
}

async function bytesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The largest size of a folder while `work` runs, in bytes. */
async function peakDuring(folder, work) {
  let peak = 0;
  const over = new AbortController();
  const watching = (async () => {
    for (; !over.signal.aborted; await pause(20)) peak = Math.max(peak, await bytesIn(folder));
  })();
  const result = await work();
  over.abort();
  await watching;
  return [result, peak];
}

/** Uploads one after another until `isOver`, at least once; as alone, each begins once the one before is analysed. */
async function uploadsUntil(isOver, who, projectId) {
  const all = [];
  do {
    all.push(await measured(who, projectId));
    await all.at(-1).analysed;
  } while (!isOver());
  return all;
}

function countsOf(answers) {
  const counts = new Map();
  for (const { status, body } of answers) {
    const what = `${status} ${body?.code ?? ''}`.trim();
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => `${count} x ${what}`);
}

async function beside(begin, who, { projectId, temporary }) {
  let isOver = false;
  const [[answers, mine], peak] = await peakDuring(temporary, async () => {
    const all = begin().finally(() => (isOver = true));
    const own = await uploadsUntil(() => isOver, who, projectId);
    return [await all, own];
  });
  const deferred = answers.reduce((sum, answer) => sum + answer.deferred.length, 0);
  return { mine, peak, others: countsOf(answers), deferred };
}

async function rowOf(situation, { mine, peak = 0, others = [], deferred = 0 }, alone) {
  const answered = mine.map((each) => each.answered);
  const first = await mine[0].analysed;
  await Promise.all(mine.map(({ analysed }) => analysed));
  return {
    situation,
    uploads: mine.length,
    'median s': seconds(median(answered)),
    'longest s': seconds(Math.max(...answered)),
    'median / alone': Number((median(answered) / (alone ?? median(answered))).toFixed(1)),
    'longest / alone': Number((Math.max(...answered) / (alone ?? median(answered))).toFixed(1)),
    'first analysed s': seconds(first),
    'temporary MB': Math.round(peak / 1_000_000),
    'the other account': others.join(', '),
    'told to retry': deferred,
  };
}

async function run({ url }, temporary) {
  const [ana, bob] = [await person(url, 'Ana'), await person(url, 'Bob')];
  const { projectId } = await aProject(bob);
  const first = [];
  for (let round = 0; round < rounds; round += 1) {
    const each = await measured(bob, projectId);
    await each.analysed;
    first.push(each);
  }
  const alone = median(first.map(({ answered }) => answered));
  const rows = [await rowOf('alone', { mine: first })];
  const storms = [
    { situation: `beside ${uploads} uploads of ${megabytes} MB`, begin: await storm(ana, uploads, large, 'take.wav') },
    { situation: `beside ${flacs} FLACs without a length`, begin: await storm(ana, flacs, endless, 'take.flac') },
  ];
  for (const { situation, begin } of storms) rows.push(await rowOf(situation, await beside(begin, bob, { projectId, temporary }), alone));
  return rows;
}

const folder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
try {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  const servers = values.s3 ? await startServers({ folder: join(folder, 'servers'), only: ['s3'] }) : null;
  const program = await startProgram({ folder: join(folder, 'data'), env: { ...servers?.env, TMPDIR: temporary } });
  try {
    console.table(await run(program, temporary));
  } finally {
    await program.stop();
    await servers?.stop();
  }
} finally {
  await endServers();
  await rm(folder, { recursive: true, force: true });
}
