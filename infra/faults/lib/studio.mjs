import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.mjs';
import { ADMIN_KEY } from './program.mjs';

export const PASSWORD = 'reef-and-tide-4711';
/** Not a promise: generous for a busy machine. */
const WAIT_MS = 60_000;
/** Longer, because several processes that just started have to acquire leases first. */
const READY_MS = 120_000;

/** A mono WAV of 16 bit at 8 kHz with a quiet tone. */
export function smallWav(seconds = 1, hertz = 220) {
  const samples = Math.round(8_000 * seconds);
  const wav = Buffer.alloc(44 + samples * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8_000, 24);
  wav.writeUInt32LE(16_000, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1) wav.writeInt16LE(Math.round(6_000 * Math.sin((2 * Math.PI * hertz * at) / 8_000)), 44 + at * 2);
  return wav;
}

/** A new account, signed in. `firstName` makes the address too. */
export async function person(url, firstName, lastName = 'Fault') {
  const email = `${firstName}.${lastName}@example.org`.toLowerCase();
  const { user } = await new Client(url).must('POST', `/api/admin/${ADMIN_KEY}/users/addUser`, { email, password: PASSWORD, firstName, lastName });
  return signIn(url, email, user);
}

/** A new session of a user. */
export async function signIn(url, email, user = {}) {
  const answer = await new Client(url).insist('POST', '/api/auth/login', { email, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`login of ${email}: ${answer.status} ${answer.error ?? JSON.stringify(answer.body)}`);
  const token = /roughmix_session=([^;]+)/.exec(String(answer.headers['set-cookie']))[1];
  return Object.assign(new Client(url, token), { uid: answer.body.user.uid, username: user.username ?? answer.body.user.username, email });
}

/** Uploads a file for a version while the program may be killed. @returns the upload's id, null without an answer. @throws when it is refused */
export async function trialUpload(who, projectId, wav = smallWav(), filename = 'take.wav') {
  const announced = { purpose: 'version', filename, contentType: 'audio/wav', size: wav.length, projectId };
  const answer = await who.insist('POST', '/api/storage/uploads', announced);
  if (answer.status === 0) return null;
  if (answer.status !== 201) throw new Error(`an upload was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  const { uploadId, url, headers } = answer.body;
  const put = await new Client(who.url).insist('PUT', url, wav, { headers });
  if (put.status === 0) return null;
  if (put.status >= 300) throw new Error(`an upload's bytes were answered ${put.status} ${JSON.stringify(put.body)}`);
  return uploadId;
}

/** Uploads a file for a version. @returns the id of the upload */
export async function upload(who, projectId, wav, filename) {
  const uploadId = await trialUpload(who, projectId, wav, filename);
  if (uploadId === null) throw new Error('an upload got no answer');
  return uploadId;
}

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** Sets a user's 'photo' or 'cover'. */
export async function setPicture(who, kind) {
  const announced = { purpose: `${kind === 'photo' ? 'profile' : 'cover'}-photo`, filename: 'me.png', contentType: 'image/png', size: PIXEL.length };
  const { uploadId, url, headers } = await who.must('POST', '/api/storage/uploads', announced);
  await new Client(who.url).must('PUT', url, PIXEL, { headers });
  await who.must('PUT', `/api/users/${who.uid}/${kind}`, { uploadId });
}

/**
 * A project with its first version. `collaborators` and `viewers` ({ who, access }) are invited with it.
 * @returns {Promise<{ projectId: string, versionId: string }>}
 */
export async function aProject(owner, { projectName = 'Tide', collaborators = [], viewers = [], wav, filename } = {}) {
  const { newProject } = await owner.must('POST', '/api/projects/newProject', { submission: { projectName } });
  const projectId = newProject._id;
  const uploadId = await upload(owner, projectId, wav, filename);
  const { version } = await owner.must('POST', '/api/media/newProject', { initialVersion: { projectId, uploadId } });
  const invite = async (invitedUsers, writeAccess) => {
    if (invitedUsers.length === 0) return;
    await owner.must('PUT', `/api/projects/${owner.uid}/inviteUsers/${projectId}`, { invitedUsers, writeAccess, message: 'Have a listen' });
  };
  await invite(
    collaborators.map((each) => `${each.uid}-3`),
    true,
  );
  await invite(
    viewers.map(({ who, access }) => `${who.uid}-${access}`),
    false,
  );
  return { projectId, versionId: version._id };
}

/** Another version of a project. */
export async function addVersion(who, projectId, { wav, filename, key, updateType = 'minor' } = {}) {
  const uploadId = await upload(who, projectId, wav, filename);
  return who.insist('POST', '/api/media', { submission: { projectId, uploadId, tinySummary: 'Louder', updateType } }, { key });
}

/** A project's page as a user sees it. */
export const pageOf = async (who, projectId) => (await who.must('GET', `/api/projects/${projectId}/visitor/${who.uid}`)).data;

/** Waits for a condition. @throws on timeout */
export async function until(what, isSo, milliseconds = WAIT_MS) {
  for (const end = Date.now() + milliseconds; Date.now() < end; await pause(20)) {
    if (await isSo()) return;
  }
  throw new Error(`timeout after ${milliseconds} ms: ${what}`);
}

/** Waits until a program is ready and serves read models, whichever process builds them. */
export const untilReady = ({ url }) => until(`${url} is ready`, async () => (await new Client(url).call('GET', '/health/ready')).status === 200, READY_MS);

/** The head of the log and what is behind it, according to public readiness. */
async function progress(who) {
  const { body } = await who.call('GET', '/health/ready');
  const [lags, projections] = [Object.values(body?.reactors ?? {}), body?.projections ?? []];
  if (lags.length === 0 || projections.length === 0) return null;
  return { head: Math.max(...projections.map(({ checkpoint, lag }) => checkpoint + lag)), lag: Math.max(...lags, ...projections.map(({ lag }) => lag)) };
}

/** A reactor's event may be the input of another reactor, whose event is then projected. */
const LONGEST_CHAIN = 3;

/** Waits until everything written before the call has taken effect: reactors have handled it, and their own events are projected. Writes may go on. */
export async function reactorsDone(who) {
  for (let step = 0; step < LONGEST_CHAIN; step += 1) {
    const heads = [];
    await until('the reactors are done', async () => {
      const now = await progress(who);
      if (now === null) return false;
      heads.push(now.head);
      // An answer's lags may be older than its head, but are not older than the answer before.
      return heads.length > 1 && heads.at(-2) - now.lag >= heads[0];
    });
  }
}
