import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Person, startApp, type TestApp } from './testing/app.js';
import { addVersion, analysed, aProjectWith, comment, diff, editPermissions, region, reply } from './testing/project-over-http.js';
import { silentFlac } from './testing/silent-flac.js';
import { bodyOf, readinessOf } from './testing/test-client.js';
import { socketOf } from './testing/test-socket.js';
import { silence, wav } from './testing/wav.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let guest: Person;
const ids = { project: '', hidden: '', gone: '', versions: '', comments: '', regions: '', audio: '' };

beforeAll(async () => {
  app = await startApp({}, { hasChildProcesses: true });
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  guest = await app.guest();
  const open = await aProjectWith(ana, { projectName: 'Über Nacht', viewers: [`${bob.uid}-1`], isPublic: true });
  const hidden = await aProjectWith(bob, { collaborators: [ana] });
  const { projectId } = open;
  const second = await addVersion(ana, projectId, { updateType: 'major' });
  const third = await addVersion(ana, projectId);
  bodyOf(await ana.post(`/api/media/${third._id}`, { projectId }));
  const drawn = await region(bob, open, { label: 'Here', tag: 'mix' });
  const posted = await comment(bob, projectId, {
    content: 'For %MENTION_Ana Tester_END%',
    taggedRegions: [{ _id: drawn._id }],
    stamp: { versionId: open.versionId, at: 1 },
  });
  const answer = await reply(ana, projectId, posted._id);
  bodyOf(await ana.put(`/api/comments/${posted._id}/rating`, { type: 'negs', on: true }));
  const tombstone = await comment(ana, projectId);
  await reply(bob, projectId, tombstone._id);
  bodyOf(await ana.post(`/api/comments/${tombstone._id}`, { projectId }));
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 3)]));
  const gone = await aProjectWith(ana);
  bodyOf(await ana.post(`/api/projects/removeProject/${gone.projectId}`));
  Object.assign(ids, { project: projectId, hidden: hidden.projectId, gone: gone.projectId, audio: open.versionId });
  Object.assign(ids, {
    versions: [open.versionId, second._id, third._id, hidden.versionId].join(),
    comments: [posted._id, answer._id, tombstone._id].join(),
    regions: drawn._id,
  });
  for (const versionId of [open.versionId, second._id]) await analysed(ana, versionId);
  await app.reactorsIdle();
});
afterAll(() => app.stop());

/** Everything that each user can see. */
async function everythingVisible(): Promise<unknown> {
  const seen: unknown[] = [];
  for (const before of [ana, bob, uma, guest]) {
    const who = new Person(app.url, before.token ?? '', before.uid, before.username);
    const paths = [
      `/api/projects/${who.uid}`,
      ...[ids.project, ids.hidden, ids.gone].map((projectId) => `/api/projects/${projectId}/visitor/${who.uid}`),
      `/api/projects/${ana.uid}/${ids.project}`,
      `/api/media/${ids.versions}`,
      `/api/comments/${ids.comments}`,
      `/api/regions/${ids.regions}`,
      `/api/users/auth/${who.uid}`,
      '/api/users/search?q=tester',
    ];
    for (const path of paths) {
      const { status, body } = await who.get(path);
      seen.push([who.username, path, status, body]);
    }
  }
  return seen;
}

test('after a restart every response is the same, and sessions continue', async () => {
  const before = await everythingVisible();
  await app.restart();
  expect(await everythingVisible()).toEqual(before);
});

test('the log’s types of events are recorded, so that an older program can tell that it is newer', async () => {
  const recorded = (await app.inside.vault.find('written-types', {})).map(({ id }) => id);
  expect(recorded).toEqual(expect.arrayContaining(['UserRegistered', 'VersionAnalyzed', 'CommentRated', 'ProjectRemoved']));
});

test('read models deleted while the program is stopped are rebuilt, and are the same', async () => {
  const before = await everythingVisible();
  await app.restart(async () => {
    const files = (await readdir(app.folder)).filter((name) => name.startsWith('read.db'));
    expect(files).toContain('read.db');
    for (const name of files) await rm(join(app.folder, name));
  });
  expect(await everythingVisible()).toEqual(before);
  const ready = await readinessOf(app.anonymous);
  expect([ready.status, ready.body.status]).toEqual([200, 'ready']);
});

test('a reconnected socket receives what it missed while the server was down', async () => {
  const first = await socketOf(new Person(app.url, bob.token ?? '', bob.uid, bob.username));
  const { position } = (await first.join(ids.project)) as { position: number };
  first.close();
  const again = new Person(app.url, ana.token ?? '', ana.uid, ana.username);
  const posted = await comment(again, ids.project);
  await app.restart();
  const second = await socketOf(new Person(app.url, bob.token ?? '', bob.uid, bob.username));
  await second.join(ids.project, position);
  expect(second.received.filter(({ channel }) => channel === 'comments').map(({ body }) => (body.view as { _id: string })._id)).toEqual([posted._id]);
  second.close();
});

test('a download in progress when the server stops arrives complete', async () => {
  const owner = new Person(app.url, ana.token ?? '', ana.uid, ana.username);
  const bytes = wav({ channelData: [silence(40)] });
  const { versionId } = await aProjectWith(owner, { bytes });
  await app.reactorsIdle();
  const request = get(new URL(`/api/media/${versionId}/audio`, app.url), { headers: { Authorization: `Bearer ${ana.token ?? ''}`, Connection: 'keep-alive' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let received = 0;
  const whole = (async () => {
    for await (const chunk of response) received += (chunk as Buffer).length;
  })();
  await app.restart();
  await whole;
  expect(received).toBe(bytes.length);
});

test('an analysis interrupted by a stop is done after the next start', async () => {
  // Twenty minutes of audio take longer to read than the program takes to stop.
  const bytes = silentFlac({ seconds: 1_200, channels: 1 });
  const { _id: versionId } = await addVersion(new Person(app.url, ana.token ?? '', ana.uid, ana.username), ids.project, { bytes });
  await app.restart();
  expect(await analysed(new Person(app.url, ana.token ?? '', ana.uid, ana.username), versionId)).toMatchObject({ state: 'ready' });
});
