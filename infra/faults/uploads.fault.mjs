// Promise: there is no version without its file, and no file without an event
// Breaks: uploads cut at any byte, and kill -9 while files are put, probed, moved, named, read and deleted
// Gate: backend/src/platform/uploads/uploads.spec.ts "moves the file to the key that an event will name, again if that changes, and a crash in between loses nothing"
// Gate: backend/src/platform/uploads/uploads.spec.ts "an upload refused after its file was moved is left to the sweep, as an event may name the file"
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { foldProjects, readLog } from './lib/log-fold.mjs';
import { operate, startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { aProject, person, reactorsDone, smallWav } from './lib/studio.mjs';

/** A PNG of one pixel. */
const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64');

/** Sends the first `bytes` of a body and disconnects, or sends all of it. Ignores the answer. */
function putPart(url, headers, body, bytes) {
  return new Promise((resolve) => {
    const put = request(url, { method: 'PUT', headers: { ...headers, 'content-length': String(body.length) } }, (answer) =>
      answer.resume().once('end', resolve),
    );
    put.once('error', resolve);
    if (bytes === body.length) put.end(body);
    else put.write(body.subarray(0, bytes), () => put.destroy(new Error('hung up')));
  });
}

/** The kinds of uploads, any step of which may be the last before the kill. No outcome is recorded. */
const WAYS = {
  async version(who, projectId, random) {
    const wav = smallWav(between(random, 1, 6) / 4);
    const { body, status } = await who.call('POST', '/api/storage/uploads', {
      purpose: 'version',
      filename: 'take.wav',
      contentType: 'audio/wav',
      size: wav.length,
      projectId,
    });
    if (status !== 200 && status !== 201) return;
    await putPart(new URL(body.url, who.url), body.headers, wav, random() < 0.3 ? between(random, 0, wav.length - 1) : wav.length);
    if (random() < 0.15) return;
    const key = crypto.randomUUID();
    const submission = { projectId, uploadId: body.uploadId, tinySummary: 'Louder' };
    await Promise.all(Array.from({ length: random() < 0.3 ? 2 : 1 }, () => who.call('POST', '/api/media', { submission }, { key })));
  },
  async image(who, projectId, random) {
    const begun = await who.call('POST', '/api/comments', { projectId, submission: { type: 'image', content: { filename: 'dot.png' } } });
    if (begun.status !== 201) return;
    const commentId = begun.body.newComment._id;
    const asked = { purpose: 'comment-image', filename: 'dot.png', contentType: 'image/png', size: DOT.length, projectId, commentId };
    const { body, status } = await who.call('POST', '/api/storage/uploads', asked);
    if (status !== 200 && status !== 201) return;
    await putPart(new URL(body.url, who.url), body.headers, DOT, random() < 0.2 ? between(random, 0, DOT.length - 1) : DOT.length);
    await who.call('PUT', `/api/comments/${commentId}`, { projectId, submission: { content: { uploadId: body.uploadId } } });
    if (random() < 0.3) await who.call('POST', `/api/comments/${commentId}`, { projectId });
  },
  async removal(who, projectId, random) {
    const { body, status } = await who.call('GET', `/api/projects/${projectId}/visitor/${who.uid}`);
    if (status !== 200 || body.data.versions.length < 2) return;
    await who.call('POST', `/api/media/${oneOf(random, body.data.versions)._id}`, { projectId });
  },
};

/** The files named by the log: audio, peaks and copy of each version, and the image of each comment, unless removed. */
function filesNamedBy(events) {
  const named = new Set();
  const projects = foldProjects(events);
  const peaks = new Map();
  const sounds = new Map();
  const copies = new Map();
  const images = new Map();
  for (const { type, data } of events) {
    if (type === 'VersionAdded' || type === 'VersionReplaced') sounds.set(data.versionId, data.file.key);
    if (type === 'VersionAnalyzed')
      peaks.set(
        data.versionId,
        Array.from({ length: data.peaksLevels }, (_, level) => `${data.peaksKey}/${level}`),
      );
    if (type === 'PlaybackCopied') copies.set(data.versionId, [data.copy.key]);
    if (type === 'CommentImageAdded.v2') images.set(data.commentId, data.key);
  }
  for (const { removed, versions, comments } of projects.values()) {
    if (removed) continue;
    for (const [id, { state }] of versions)
      if (state !== 'rejected') for (const key of [sounds.get(id), ...(peaks.get(id) ?? []), ...(copies.get(id) ?? [])]) named.add(key);
    for (const [id, comment] of comments) if (comment.removed !== true && images.has(id)) named.add(images.get(id));
  }
  return named;
}

async function filesIn(folder) {
  const root = join(folder, 'blobs');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/** After stopping and sweeping, exactly the files named by the log must exist. */
async function compareFiles(folder, { wrong, count }) {
  const swept = await operate(folder, ['files', 'sweep', '--uploads'], { env: { TRASH_DAYS: '0' } });
  if (swept.code !== 0) wrong(`files sweep ended with ${swept.code}: ${swept.err.slice(0, 500)}`);
  count('left-overs swept', Number(/swept (\d+) uploads/.exec(swept.out)?.[1] ?? 0));
  const named = filesNamedBy(readLog(folder));
  const there = await filesIn(folder);
  for (const key of there) if (!named.has(key)) wrong(`no event names ${key}`);
  for (const key of named) if (!existsSync(join(folder, 'blobs', key))) wrong(`missing: ${key}`);
  count('files compared', named.size);
}

export const fault = {
  name: 'uploads',
  async run({ random, short, folder, print, wrong, count }) {
    const start = () => startProgram({ folder, env: { TRASH_DAYS: '0' } });
    let program = await start();
    let owner = await person(program.url, 'Ona');
    const { projectId } = await aProject(owner);
    for (let round = 1; round <= (short ? 2 : 16); round += 1) {
      const stop = new AbortController();
      const one = async () => {
        while (!stop.signal.aborted) {
          const way = oneOf(random, Object.keys(WAYS));
          await WAYS[way](owner, projectId, random);
          count('ways begun');
        }
      };
      const working = Array.from({ length: 4 }, one);
      await pause(between(random, 100, 1_500));
      stop.abort();
      await program.kill();
      await Promise.all(working);
      count('kills');
      program = await start();
      owner = owner.at(program.url);
    }
    await reactorsDone(owner);
    await program.stop();
    print(`the log holds ${readLog(folder).length} events`);
    await compareFiles(folder, { wrong, count });
  },
};
