// Promise: on a full disk nothing is acknowledged (507), reads continue, and writes resume once there is space
// Breaks: the disk is full for log, vault, read models or files
// Gate: short form
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from './lib/client.mjs';
import { compareAll } from './lib/compare.mjs';
import { ALL_FILES, FaultyDisk, FILES } from './lib/faulty-disk.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { addVersion, PASSWORD, reactorsDone, smallWav, until } from './lib/studio.mjs';
import { Band } from './lib/work.mjs';

const HEALED_MS = 30_000;

const isFull = ({ status, body }) => status === 507 && body?.code === 'disk.full';

/** A command that always appends an event. */
function comment({ band, random, ledger }) {
  const { projectId, writers } = oneOf(random, band.projects);
  const body = { projectId, submission: { content: 'a comment that needs its room '.repeat(between(random, 1, 30)) } };
  return ledger.send(oneOf(random, writers), { path: '/api/comments', body, types: ['CommentAdded'] });
}

/** A write to each store. */
const ATTEMPTS = {
  log: comment,
  vault: ({ band: { people } }) => new Client(people[0].url).call('POST', '/api/auth/login', { email: people[0].email, password: PASSWORD }),
  read: comment,
  blobs: async ({ band: { people, projects } }) => {
    const [who] = people;
    const wav = smallWav(3);
    const announced = { purpose: 'version', filename: 'take.wav', contentType: 'audio/wav', size: wav.length, projectId: projects[0].projectId };
    const { url, headers } = await who.must('POST', '/api/storage/uploads', announced);
    return new Client(who.url).call('PUT', url, wav, { headers });
  },
};

async function readsGoOn({ band, wrong, count }, what) {
  for (const { projectId, writers } of band.projects) {
    const { status } = await writers[0].call('GET', `/api/projects/${projectId}/visitor/${writers[0].uid}`);
    if (status !== 200) wrong(`${what}: reading a page answered ${status}`);
    count('pages read on a full disk');
  }
}

const readiness = async ({ band }) => (await band.people[0].call('GET', '/health/ready')).body.status;
const isWritten = async (all) => (await ATTEMPTS.log(all)).status === 201 && (await readiness(all)) === 'ready';

/** Fills one store, or all, for a while. */
async function fillOne(all, disk, { name, files }) {
  const { wrong, count, part } = all;
  disk.fill(files, { part });
  for (const attempt of name === 'all' ? Object.keys(ATTEMPTS).filter((each) => each !== 'blobs') : [name]) {
    const answer = await ATTEMPTS[attempt](all);
    if (!isFull(answer)) wrong(`${name} is full: ${attempt} answered ${answer.status} ${answer.body?.code ?? ''}`);
    count('writes refused with 507');
  }
  await readsGoOn(all, `${name} is full`);
  if (name !== 'blobs') {
    await until(`readiness says not-writable while ${name} is full`, async () => (await readiness(all)) === 'not-writable', HEALED_MS).catch((e) =>
      wrong(e.message),
    );
  }
  disk.heal();
  await until(`written again after ${name} was full`, () => isWritten(all), HEALED_MS).catch((error) => wrong(error.message));
}

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function failingWrites({ random, short, folder, wrong, count, print, skip }) {
  const disk = new FaultyDisk(folder, skip);
  const data = join(folder, 'failing');
  const program = await startProgram({ folder: data, preload: disk.preload, env: { ...disk.env, LOG_LEVEL: 'fatal', DISK_RESERVE: '0' } });
  // Until a projector has hit the full disk, it counts as lagging.
  const ledger = new Ledger({ isPatient: true });
  const band = await Band.form(program, { size: 2 });
  await reactorsDone(band.people[0]);
  const blobs = filesBelow(join(data, 'blobs')).length;
  for (const part of short ? [true] : [false, true, false, true, true]) {
    const all = { random, band, ledger, wrong, count, part };
    for (const name of short ? ['read', 'blobs'] : ['log', 'vault', 'read', 'blobs']) await fillOne(all, disk, { name, files: FILES[name] });
    await fillOne(all, disk, { name: 'all', files: ALL_FILES & ~FILES.blobs });
  }
  if (filesBelow(join(data, 'blobs')).length !== blobs) wrong(`refused uploads left files: ${filesBelow(join(data, 'blobs')).join(' ')}`);
  await compareAll({ folder: data, ledger, people: band.people, wrong, count });
  await program.kill();
  const again = await startProgram({ folder: data });
  band.moveTo(again.url);
  await compareAll({ folder: data, ledger, people: band.people, wrong, count: () => undefined });
  await again.stop();
  print(`${disk.failed.writes} writes failed`);
  if (disk.failed.writes === 0) wrong('no write failed: the fault did not happen');
  disk.close();
}

/** Fills a separate small file system completely. */
async function fullForReal({ random, folder, wrong, count, print }) {
  const data = join(folder, 'full');
  mkdirSync(data);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', data], { encoding: 'utf8' });
  if (mounted.status !== 0) {
    print(`skipped, no small file system can be mounted: ${(mounted.stderr ?? '').trim()}`);
    return;
  }
  try {
    const program = await startProgram({ folder: data, env: { LOG_LEVEL: 'fatal', DISK_RESERVE: '0' } });
    const ledger = new Ledger();
    const band = await Band.form(program, { size: 2 });
    const all = { random, band, ledger, wrong, count };
    const ballast = join(data, 'ballast');
    const { bavail, bsize } = statfsSync(data);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 300 * 1024)));
    let tried = 0;
    for (let answer = { status: 0 }; !isFull(answer) && tried < 400; tried += 1) answer = await ATTEMPTS.log(all);
    if (tried === 400) wrong('400 commands on a full disk, none was answered with 507');
    await readsGoOn(all, 'the disk is full');
    if ((await addVersion(band.people[0], band.projects[0].projectId).catch((error) => error)).status === 201) wrong('a version was added on a full disk');
    rmSync(ballast);
    await until('written again after the disk was full', () => isWritten(all), HEALED_MS).catch((error) => wrong(error.message));
    await compareAll({ folder: data, ledger, people: band.people, wrong, count: () => undefined });
    await program.kill();
    const again = await startProgram({ folder: data });
    band.moveTo(again.url);
    await compareAll({ folder: data, ledger, people: band.people, wrong, count: () => undefined });
    await again.stop();
    print(`a file system filled to the last byte: 507 after ${tried} commands, ${ledger.acknowledged.size} acknowledged in all`);
  } finally {
    spawnSync('umount', ['-l', data]);
  }
}

export const fault = {
  name: 'disk-full',
  async run(tools) {
    await fullForReal(tools);
    await failingWrites(tools);
  },
};
