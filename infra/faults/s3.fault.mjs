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

/** The page waits so long for an answer. */
const DEADLINE_MS = 15_000;
const BACK_MS = 5_000;
/** Calls of the server are given up after 5 s. */
const CALL_MS = 5_000;
const isByServer = (answer) => isHasty(answer) || answer.ms >= CALL_MS;
const FRAME_BYTES = 417;

/** An MP3 of silence: cut behind any frame it is a whole one still, and only its size tells. */
function silentMp3(frames) {
  const mp3 = Buffer.alloc(frames * FRAME_BYTES);
  for (let at = 0; at < mp3.length; at += FRAME_BYTES) mp3.set([0xff, 0xfb, 0x90, 0x04], at);
  return mp3;
}

const sumOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Sends a part of a body and hangs up. Answers do not matter. */
function cutOff({ url, headers }, bytes, sent) {
  return new Promise((resolve) => {
    const put = request(url, { method: 'PUT', headers: { ...headers, 'content-length': String(bytes.length) } }, (answer) =>
      answer.resume().once('end', resolve),
    );
    put.once('error', resolve);
    put.write(bytes.subarray(0, sent), () => put.destroy(new Error('hung up')));
  });
}

/** As a server does that keeps what came of a put that was cut off. */
async function keepPart(path, bytes) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** Somebody's uploads and reads, each answer held to its deadline; what was acknowledged is remembered. */
class Studio {
  /** Sum of the bytes by the version that they were acknowledged as. */
  kept = new Map();
  slowest = 0;

  constructor({ owner, projectId, wrong, count }) {
    Object.assign(this, { owner, projectId, wrong, count });
  }

  /** A call that may be answered 503, in time and with when to come again, and nothing else of the kind. */
  async call(...args) {
    const answer = await this.owner.call(...args);
    this.slowest = Math.max(this.slowest, answer.ms);
    if (answer.ms > DEADLINE_MS) this.wrong(`${args[0]} ${args[1]} was answered after ${Math.round(answer.ms)} ms`);
    if (answer.status === 503) this.count('answers of 503');
    if (answer.status === 503 && answer.headers['retry-after'] === undefined) this.wrong(`a 503 of ${args[1]} does not say when to come again`);
    if (answer.status === 0 || (answer.status >= 500 && answer.status !== 503)) this.wrong(`${args[0]} ${args[1]} was answered ${answer.status}`);
    return answer;
  }

  /** Null when it was throttled: too many on their way. */
  async announce(size, filename) {
    const asked = { purpose: 'version', filename, contentType: 'audio/mpeg', size, projectId: this.projectId };
    const { status, body } = await this.call('POST', '/api/storage/uploads', asked);
    return status === 201 ? body : null;
  }

  use(uploadId, key = randomUUID()) {
    return this.call('POST', '/api/media', { submission: { projectId: this.projectId, uploadId, tinySummary: 'Louder' } }, { key });
  }

  /** Brings a version; true when it was acknowledged. */
  async bring(bytes, filename) {
    const announced = await this.announce(bytes.length, filename);
    if (announced === null) return false;
    const put = await new Client(this.owner.url).call('PUT', announced.url, bytes, { headers: announced.headers, milliseconds: 5_000 });
    if (put.status !== 200) return false;
    const key = randomUUID();
    let answer = await this.use(announced.uploadId, key);
    if (answer.status === 503) answer = await this.use(announced.uploadId, key);
    if (answer.status === 404) this.wrong('an upload that was put whole is not found');
    if (answer.status !== 201) return false;
    this.kept.set(answer.body.versionId, sumOf(bytes));
    this.count('versions acknowledged');
    return true;
  }

  /** The bytes of a version, by the address that the program sends to; null while the server is away. */
  async listen(versionId) {
    const { status, headers } = await this.call('GET', `/api/media/${versionId}/audio`);
    if (status !== 302) return null;
    const answer = await new Client(this.owner.url).call('GET', headers.location, undefined, { milliseconds: 5_000 });
    return answer.status === 200 ? answer.body : null;
  }

  /** What has nothing to do with files goes on, whatever the files' server does; it may be put off where the read models lag, after 2 s, and by nothing else. */
  async comment() {
    const begun = performance.now();
    const { status, putOff } = await this.owner.insist('POST', '/api/comments', { projectId: this.projectId, submission: { content: 'Louder' } });
    const ms = Math.round(performance.now() - begun);
    if (status !== 201 || ms > DEADLINE_MS || putOff.some(isByServer))
      this.wrong(`a comment was answered ${status} after ${ms} ms while the S3 server was in trouble, put off ${putOff.length} times`);
  }
}

/** Puts that end anywhere, on a server that throws away what came and on one that keeps it, are never used. */
async function cutPuts({ owner, server, random, rounds, wrong, count }) {
  const uploads = join(server.folder, 'data', server.env.S3_BUCKET, 'uploads');
  let studio;
  for (let round = 0; round < rounds; round += 1) {
    // Those that never came hold their places for a while.
    if (round % 16 === 0) studio = new Studio({ owner, ...(await aProject(owner)), wrong, count });
    const bytes = silentMp3(between(random, 20, 200));
    const announced = await studio.announce(bytes.length, 'cut.mp3');
    if (announced === null) throw new Error('an upload was refused');
    const sent = Math.floor((random() * (bytes.length - 1)) / FRAME_BYTES) * FRAME_BYTES + (random() < 0.5 ? 0 : 1);
    if (round % 2 === 0) await cutOff(announced, bytes, sent);
    else await keepPart(join(uploads, announced.uploadId), bytes.subarray(0, sent));
    const { status } = await studio.use(announced.uploadId);
    if (status !== 404) wrong(`${sent} of ${bytes.length} bytes, and the version was answered ${status}`);
    count('puts cut off');
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

/** Long enough for a reactor to give up on an event, if it would. */
const LONG = {
  'away for 12 s': async (server) => {
    await server.kill();
    await pause(12_000);
    await server.start();
  },
};

/** Works while the server is in trouble, and asks how soon afterwards a version can be brought. */
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
  const isBack = until('a version is taken again', () => studio.bring(silentMp3(20), 'back.mp3'), BACK_MS);
  await isBack.catch((error) => wrong(`after the trouble: ${error.message}`));
  stop.abort();
  await Promise.all(working);
  return Math.round(performance.now() - mended);
}

export const fault = {
  name: 's3',
  about:
    'puts to an S3 server cut off anywhere; the server killed, frozen and started again under uploads and reads: 503 in time, back within 5 s, nothing short or lost',
  short: true,
  needs: 'servers',
  async run({ random, short, folder, say, wrong, count }) {
    const { s3: server, env } = await startServers({ folder: join(folder, 'servers'), only: ['s3'] });
    const program = await startProgram({ folder: join(folder, 'data'), env });
    const owner = await person(program.url, 'Ona');
    const { projectId } = await aProject(owner);
    const studio = new Studio({ owner, projectId, wrong, count });
    while (!(await studio.bring(silentMp3(50), 'first.mp3')));
    await cutPuts({ owner, server, random, rounds: short ? 6 : 40, wrong, count });
    const rounds = short ? [TROUBLES] : [TROUBLES, LONG, TROUBLES, TROUBLES];
    for (const [name, trouble] of rounds.flatMap((round) => Object.entries(round)))
      say(`${name}: all were done ${await work({ studio, server, trouble, random, wrong })} ms after it was mended`);
    await reactorsDone(owner);
    const { versions } = await pageOf(owner, projectId);
    for (const { _id, state } of versions) if (state === 'analysing') wrong(`version ${_id} was never analysed`);
    for (const [versionId, sum] of studio.kept) {
      const bytes = await studio.listen(versionId);
      if (bytes === null || sumOf(bytes) !== sum) wrong(`what was acknowledged as version ${versionId} is ${bytes === null ? 'gone' : 'not what was put'}`);
    }
    for (const { _id } of versions) if (!studio.kept.has(_id)) count('versions whose answer stayed away or was the first');
    count('files compared', studio.kept.size);
    say(`the slowest answer took ${Math.round(studio.slowest)} ms`);
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program ended with ${code}`);
  },
};
