// Promise: no file is truncated or lost, and an unavailable file server is 503 in time
// Breaks: puts to an S3 server interrupted anywhere; the server killed, frozen and restarted under uploads and reads; recovery within 5 s
// Gate: backend/src/platform/uploads/upload-slots.spec.ts "an incomplete file frees its slot at once and cannot be used"
// Gate: backend/src/platform/blobs/s3-blob-store.spec.ts "a stream longer than a part is written in parts, and a broken one leaves neither file nor parts"
// Gate: backend/src/platform/uploads/upload-slots.spec.ts "while that server is unavailable announcing fails, and no slot is taken"
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, isHasty } from './lib/client.mjs';
import { startProgram } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { startServers } from './lib/servers.mjs';
import { aProject, pageOf, person, reactorsDone, smallWav, until } from './lib/studio.mjs';

/** The page's request timeout. */
const DEADLINE_MS = 15_000;
const BACK_MS = 5_000;
/** The program's timeout of calls to the S3 server. */
const CALL_MS = 5_000;
const isByServer = (answer) => isHasty(answer) || answer.ms >= CALL_MS;
const FRAME_BYTES = 417;

/** A silent MP3, which is still valid when cut after any frame, so that only its size shows the loss. */
function silentMp3(frames) {
  const mp3 = Buffer.alloc(frames * FRAME_BYTES);
  for (let at = 0; at < mp3.length; at += FRAME_BYTES) mp3.set([0xff, 0xfb, 0x90, 0x04], at);
  return mp3;
}

const sumOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Sends part of a body and disconnects, ignoring the answer. */
function cutOff({ url, headers }, bytes, sent) {
  return new Promise((resolve) => {
    const put = request(url, { method: 'PUT', headers: { ...headers, 'content-length': String(bytes.length) } }, (answer) =>
      answer.resume().once('end', resolve),
    );
    put.once('error', resolve);
    put.write(bytes.subarray(0, sent), () => put.destroy(new Error('hung up')));
  });
}

/** Simulates a server that keeps the received part of an interrupted put. */
async function keepPart(path, bytes) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** A user's uploads and reads, with timed answers and recorded acknowledgements. */
class Studio {
  /** Checksum by acknowledged version. */
  kept = new Map();
  slowest = 0;

  constructor({ owner, projectId, wrong, count }) {
    Object.assign(this, { owner, projectId, wrong, count });
  }

  /** A call that may fail only with 503 and Retry-After, in time. */
  async call(...args) {
    const answer = await this.owner.call(...args);
    this.slowest = Math.max(this.slowest, answer.ms);
    if (answer.ms > DEADLINE_MS) this.wrong(`${args[0]} ${args[1]} was answered after ${Math.round(answer.ms)} ms`);
    if (answer.status === 503) this.count('answers of 503');
    if (answer.status === 503 && answer.headers['retry-after'] === undefined) this.wrong(`a 503 of ${args[1]} has no Retry-After`);
    if (answer.status === 0 || (answer.status >= 500 && answer.status !== 503)) this.wrong(`${args[0]} ${args[1]} was answered ${answer.status}`);
    return answer;
  }

  /** Null if throttled because of too many pending uploads. */
  async announce(size, filename) {
    const asked = { purpose: 'version', filename, contentType: 'audio/mpeg', size, projectId: this.projectId };
    const { status, body } = await this.call('POST', '/api/storage/uploads', asked);
    return status === 201 ? body : null;
  }

  use(uploadId, key = randomUUID()) {
    return this.call('POST', '/api/media', { submission: { projectId: this.projectId, uploadId, tinySummary: 'Louder' } }, { key });
  }

  /** Adds a version; true if it was acknowledged. */
  async bring(bytes, filename) {
    const announced = await this.announce(bytes.length, filename);
    if (announced === null) return false;
    const put = await new Client(this.owner.url).call('PUT', announced.url, bytes, { headers: announced.headers, milliseconds: 5_000 });
    if (put.status !== 200) return false;
    const key = randomUUID();
    let answer = await this.use(announced.uploadId, key);
    if (answer.status === 503) answer = await this.use(announced.uploadId, key);
    if (answer.status === 404) this.wrong('a complete upload is not found');
    if (answer.status !== 201) return false;
    this.kept.set(answer.body.versionId, sumOf(bytes));
    this.count('versions acknowledged');
    return true;
  }

  /** The bytes of a version from its redirect; null while the server is down. */
  async listen(versionId) {
    const { status, headers } = await this.call('GET', `/api/media/${versionId}/audio`);
    if (status !== 302) return null;
    const answer = await new Client(this.owner.url).call('GET', headers.location, undefined, { milliseconds: 5_000 });
    return answer.status === 200 ? answer.body : null;
  }

  /** Commands without files must keep working. Only lagging read models may defer them, after 2 s. */
  async comment() {
    const begun = performance.now();
    const { status, deferred } = await this.owner.insist('POST', '/api/comments', { projectId: this.projectId, submission: { content: 'Louder' } });
    const ms = Math.round(performance.now() - begun);
    if (status !== 201 || ms > DEADLINE_MS || deferred.some(isByServer))
      this.wrong(`a comment was answered ${status} after ${ms} ms while the S3 server was failing, deferred ${deferred.length} times`);
  }
}

/** Interrupted puts must never become versions, whether the server discards or keeps the received part. */
async function cutPuts({ owner, server, random, rounds, wrong, count }) {
  const uploads = join(server.folder, 'data', server.env.S3_BUCKET, 'uploads');
  let studio;
  for (let round = 0; round < rounds; round += 1) {
    // Uploads that never arrived hold their slots for a while.
    if (round % 16 === 0) studio = new Studio({ owner, ...(await aProject(owner)), wrong, count });
    const bytes = silentMp3(between(random, 20, 200));
    const announced = await studio.announce(bytes.length, 'cut.mp3');
    if (announced === null) throw new Error('an upload was refused');
    const sent = Math.floor((random() * (bytes.length - 1)) / FRAME_BYTES) * FRAME_BYTES + (random() < 0.5 ? 0 : 1);
    if (round % 2 === 0) await cutOff(announced, bytes, sent);
    else await keepPart(join(uploads, announced.uploadId), bytes.subarray(0, sent));
    const { status } = await studio.use(announced.uploadId);
    if (status !== 404) wrong(`${sent} of ${bytes.length} bytes, and the version was answered ${status}`);
    count('interrupted puts');
  }
}

const TROUBLES = {
  'killed and started again': async (server, random) => {
    await server.kill();
    await pause(between(random, 200, 1_500));
    await server.start();
  },
  frozen: async (server, random) => {
    await server.freeze();
    await pause(between(random, 4_500, 6_500));
    server.thaw();
  },
};

/** Long enough for a reactor to park an event wrongly. */
const LONG = {
  'away for 12 s': async (server) => {
    await server.kill();
    await pause(12_000);
    await server.start();
  },
};

/** Works during the fault and measures how soon afterwards a version can be added. */
async function work({ studio, server, trouble, random, wrong }) {
  const stop = new AbortController();
  const loop = async (one) => {
    while (!stop.signal.aborted) {
      await one();
      await pause(30);
    }
  };
  const readOne = () => studio.listen([...studio.kept.keys()].at(-1));
  const working = [
    loop(() => studio.bring(silentMp3(between(random, 20, 400)), 'take.mp3')),
    loop(() => studio.bring(smallWav(between(random, 1, 8) / 4), 'take.wav')),
    loop(readOne),
    loop(() => studio.comment()),
  ];
  await pause(between(random, 200, 800));
  await trouble(server, random);
  const mended = performance.now();
  const isBack = until('a version is accepted again', () => studio.bring(silentMp3(20), 'back.mp3'), BACK_MS);
  await isBack.catch((error) => wrong(`after the fault: ${error.message}`));
  stop.abort();
  await Promise.all(working);
  return Math.round(performance.now() - mended);
}

export const fault = {
  name: 's3',
  needs: 'servers',
  async run({ random, short, folder, print, wrong, count }) {
    const { s3: server, env } = await startServers({ folder: join(folder, 'servers'), only: ['s3'] });
    const program = await startProgram({ folder: join(folder, 'data'), env });
    const owner = await person(program.url, 'Ona');
    const { projectId } = await aProject(owner);
    const studio = new Studio({ owner, projectId, wrong, count });
    while (!(await studio.bring(silentMp3(50), 'first.mp3')));
    await cutPuts({ owner, server, random, rounds: short ? 6 : 40, wrong, count });
    const rounds = short ? [TROUBLES] : [TROUBLES, LONG, TROUBLES, TROUBLES];
    for (const [name, trouble] of rounds.flatMap((round) => Object.entries(round)))
      print(`${name}: recovered ${await work({ studio, server, trouble, random, wrong })} ms after the repair`);
    await reactorsDone(owner);
    const { versions } = await pageOf(owner, projectId);
    for (const { _id, state } of versions) if (state === 'analysing') wrong(`version ${_id} was never analysed`);
    for (const [versionId, sum] of studio.kept) {
      const bytes = await studio.listen(versionId);
      if (bytes === null || sumOf(bytes) !== sum)
        wrong(`the file of acknowledged version ${versionId} is ${bytes === null ? 'missing' : 'not the uploaded one'}`);
    }
    for (const { _id } of versions) if (!studio.kept.has(_id)) count('versions whose answer was lost or was the first');
    count('files compared', studio.kept.size);
    print(`the slowest answer took ${Math.round(studio.slowest)} ms`);
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program ended with ${code}`);
  },
};
