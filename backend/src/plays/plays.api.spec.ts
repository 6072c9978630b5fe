import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PlaysView } from '@roughmix/contracts/plays/play.view.js';
import { mayReadPlays } from '@roughmix/contracts/plays/play.access.js';
import type { ProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { viewerOf } from '@roughmix/contracts/projects/project.access.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, analysed, aProjectWith, type CreatedProject, editPermissions, diff } from '../testing/project-over-http.js';
import { bodyOf } from '../testing/test-client.js';
import { socketOf } from '../testing/test-socket.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let project: CreatedProject;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  project = await aProjectWith(ana, { viewers: [`${bob.uid}-1`], isPublic: true });
  await analysed(ana, project.versionId);
});
afterAll(() => app.stop());

const playsOf = async (versionId: string, who: Person = ana): Promise<PlaysView> =>
  bodyOf(await app.again(who).get<PlaysView>(`/api/media/${versionId}/plays`));
const refusal = async (who: Person, versionId: string) => {
  const { status, body } = await who.get<{ code?: string }>(`/api/media/${versionId}/plays`);
  return [status, body.code];
};

/** Reads until the totals are there: a session is recorded after its socket has closed. */
async function playsOnce(versionId: string, plays: number): Promise<PlaysView> {
  for (const until = Date.now() + 20_000; Date.now() < until;) {
    const found = await playsOf(versionId);
    if (found.plays >= plays) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`fewer than ${plays} plays`);
}

/** One session of one message. */
async function listen(who: Person, versionId: string, seconds: number): Promise<void> {
  const socket = await socketOf(who);
  expect(await socket.ask('update-metrics', { versionId, seconds })).toMatchObject({ ok: true });
  socket.close();
}

test('the owner sees how often and how long a version was heard, by everyone in all and by each member, most seconds first', async () => {
  const { versionId } = project;
  await listen(bob, versionId, 20);
  await listen(bob, versionId, 30);
  await listen(ana, versionId, 60);
  await listen(uma, versionId, 5);
  const { listeners, ...totals } = await playsOnce(versionId, 4);
  expect(totals).toEqual({ plays: 4, seconds: 115 });
  expect(listeners.map(({ user, plays, seconds, last }) => [user.uid, plays, seconds, Math.abs(Date.now() - last) < 60_000])).toEqual([
    [ana.uid, 1, 60, true],
    [bob.uid, 2, 50, true],
  ]);
});

test('others, the guest too, do not see it; a removed version and strangers get 404', async () => {
  const { versionId, projectId } = project;
  const guest = await app.guest();
  expect(await Promise.all([refusal(bob, versionId), refusal(uma, versionId), refusal(guest, versionId)])).toEqual(
    Array.from({ length: 3 }, () => [403, 'project.not-allowed']),
  );
  const hidden = await aProjectWith(ana);
  expect(await refusal(bob, hidden.versionId)).toEqual([404, 'version.not-found']);
  const second = await addVersion(ana, projectId);
  bodyOf(await ana.post(`/api/media/${second._id}`, { projectId }));
  expect(await refusal(ana, second._id)).toEqual([404, 'version.not-found']);
});

test('a version that was never heard has no plays', async () => {
  const { versionId } = await aProjectWith(ana);
  expect(await playsOf(versionId)).toEqual({ plays: 0, seconds: 0, listeners: [] });
});

test('a session moves no project and is pushed to nobody', async () => {
  const { projectId, versionId } = await aProjectWith(ana);
  await analysed(ana, versionId);
  const socket = await socketOf(ana);
  await socket.join(projectId);
  const changed = async () => bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${projectId}`)).project;
  const before = await changed();
  await listen(ana, versionId, 10);
  await playsOnce(versionId, 1);
  expect(await changed()).toEqual(before);
  bodyOf(await ana.put(`/api/projects/${projectId}`, { submission: { projectName: 'Later' } }));
  await socket.until(({ body }) => body.type === 'ProjectName');
  expect(socket.summary()).toEqual(['projects ProjectName']);
  socket.close();
});

describe('update-metrics', () => {
  test('that comes again within thirty seconds is 429 and not counted', async () => {
    const { versionId } = await aProjectWith(ana);
    const socket = await socketOf(ana);
    await socket.ask('update-metrics', { versionId, seconds: 30 });
    expect(await socket.ask('update-metrics', { versionId, seconds: 30 })).toMatchObject({ ok: false, problem: { status: 429, code: 'throttled' } });
    socket.close();
    expect(await playsOnce(versionId, 1)).toMatchObject({ plays: 1, seconds: 30 });
  });

  test.each([
    ['no seconds', { seconds: 0 }],
    ['too many seconds', { seconds: 61 }],
    ['half a second', { seconds: 0.5 }],
    ['seconds as text', { seconds: '5' }],
    ['no version', { versionId: null, seconds: 5 }],
  ])('with %s is 400', async (_what, body) => {
    const socket = await socketOf(ana);
    const answer = await socket.ask('update-metrics', { versionId: project.versionId, ...body });
    expect(answer).toMatchObject({ ok: false, problem: { status: 400, code: 'request.invalid' } });
    socket.close();
  });

  test('of a version that the user may not see is 404, and of a user who lost access meanwhile it is not recorded', async () => {
    const { projectId, versionId } = await aProjectWith(ana, { viewers: [`${bob.uid}-0`] });
    const [stranger, viewer] = [await socketOf(uma), await socketOf(bob)];
    expect(await stranger.ask('update-metrics', { versionId, seconds: 5 })).toMatchObject({ ok: false, problem: { code: 'version.not-found' } });
    expect(await viewer.ask('update-metrics', { versionId, seconds: 5 })).toMatchObject({ ok: true });
    bodyOf(await editPermissions(ana, projectId, [{ ...diff(bob.uid, 0), removed: true }]));
    viewer.close();
    stranger.close();
    await listen(ana, versionId, 7);
    expect(await playsOnce(versionId, 1)).toMatchObject({ plays: 1, seconds: 7, listeners: [{ user: { uid: ana.uid } }] });
  });

  test('that is under way at shutdown is recorded', async () => {
    const { versionId } = await aProjectWith(ana);
    const socket = await socketOf(ana);
    await socket.ask('update-metrics', { versionId, seconds: 41 });
    await app.restart();
    expect(await playsOf(versionId)).toMatchObject({ plays: 1, seconds: 41, listeners: [{ user: { uid: ana.uid }, plays: 1, seconds: 41 }] });
    socket.close();
  });
});

test('only the owner may read plays', () => {
  const facts = {
    ownerUid: 'ana',
    visibility: 'public',
    members: { bob: { access: 3, write: true }, cleo: { access: 1, write: false } },
    started: true,
    removed: false,
  } as const;
  const may = (uid: string) => {
    const who = viewerOf(facts, uid);
    return who !== null && mayReadPlays(who);
  };
  expect(['ana', 'bob', 'cleo', 'uma'].map(may)).toEqual([true, false, false, false]);
});
