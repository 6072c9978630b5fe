import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { receivedDuring, TestSockets, channelsAndTypes } from '../../testing/test-sockets.js';
import { analysed, aProjectWith, comment, diff, editPermissions, invite, region, type CreatedProject } from '../../testing/project-over-http.js';
import { type Answer, bodyOf } from '../../testing/test-client.js';
import type { ReceivedMessage, TestSocket } from '../../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let sharedProject: CreatedProject;
/** Receives every push, which shows what has been delivered. */
let witness: TestSocket;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  sharedProject = await aProjectWith(ana, { viewers: [`${bob.uid}-3`], isPublic: true });
  await analysed(ana, sharedProject.versionId);
  witness = await listening.socket(ana, sharedProject.projectId);
  await receivedDuring(ana, sharedProject.projectId, [witness]);
});
afterAll(() => listening.stop(app));

const socket = (who: Person, projectId?: string): Promise<TestSocket> => listening.socket(who, projectId);
const positionIn = ({ headers }: Answer): number => Number(headers.get('x-position'));
/** Resolves when a position has been delivered: an answer alone says only that it can be read. */
const delivered = (position: number, to: TestSocket = witness): Promise<ReceivedMessage> => to.until(({ body }) => body.position === position);

describe('rejoining a project', () => {
  test('delivers the missed pushes in order and once, before newer ones', async () => {
    const { projectId } = sharedProject;
    const his = await socket(bob);
    const before = await his.join(projectId);
    his.close();
    const drawn = await region(ana, sharedProject);
    const { _id } = await comment(ana, projectId, { taggedRegions: [{ _id: drawn._id }] });
    const edited = await ana.put(`/api/comments/${_id}`, { submission: { content: 'Softer' } });
    bodyOf(edited);
    await delivered(positionIn(edited));
    const after = before.ok ? before.position : -1;
    const again = await socket(bob);
    const joined = await again.join(projectId, after);
    expect(joined).toEqual({ ok: true, position: expect.any(Number), users: [], log: expect.stringMatching(/^[\w-]{16}$/) });
    const { received } = await receivedDuring(ana, projectId, [again]);
    expect(channelsAndTypes(received[0] ?? [])).toEqual(['regions RegionAdded', 'comments CommentAdded', 'regions RegionEdited', 'comments CommentEdited']);
    const positions = (received[0] ?? []).map(({ body }) => body.position ?? 0);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(received[0]?.every(({ body }) => body.actorUid === ana.uid && typeof body.commandId === 'string')).toBe(true);
    expect(Math.max(...positions)).toBe(joined.ok ? joined.position : -1);
    // The view as of sending.
    expect(received[0]?.[1]?.body.view).toMatchObject({ content: 'Softer' });
    expect(await again.join(projectId, joined.ok ? joined.position : -1)).toMatchObject({ ok: true });
    const nothing = await receivedDuring(ana, projectId, [again]);
    expect(channelsAndTypes(nothing.received[0] ?? []).filter((word) => word !== 'projects ProjectName')).toEqual([]);
  });

  test("is acknowledged with the room's newest position, whatever happens elsewhere, and never before the pushes of an answered command", async () => {
    const { projectId } = sharedProject;
    const his = await socket(bob);
    for (let times = 0; times < 5; times += 1) {
      const said = await ana.post('/api/comments', { projectId, submission: { content: 'Louder' } });
      expect(await his.join(projectId)).toMatchObject({ ok: true, position: positionIn(said) });
    }
    const { position } = (await his.join(projectId)) as { position: number };
    const { projectId: another } = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
    const there = (await (await socket(bob)).join(another)) as { position: number };
    expect(there.position).toBeGreaterThan(position);
    expect(await his.join(projectId)).toMatchObject({ position });
    expect(await his.join(projectId, there.position)).toMatchObject({ position });
  });

  test('pushes only the removal of an item that no longer exists', async () => {
    const { projectId } = sharedProject;
    const his = await socket(bob);
    const { position } = (await his.join(projectId)) as { position: number };
    const drawn = await region(ana, sharedProject);
    bodyOf(await ana.post(`/api/regions/${drawn._id}`, { projectId }));
    const again = await socket(bob);
    await again.join(projectId, position);
    const { received } = await receivedDuring(ana, projectId, [again]);
    expect(new Set(channelsAndTypes(received[0] ?? []))).toEqual(new Set(['regions RegionRemoved']));
  });

  test('delivers to visitors only the pushes for visitors', async () => {
    const { projectId } = sharedProject;
    const { position } = (await (await socket(uma)).join(projectId)) as { position: number };
    bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 1)]));
    const drawn = await region(ana, sharedProject);
    const again = await socket(uma);
    await again.join(projectId, position);
    const { received } = await receivedDuring(ana, projectId, [again]);
    expect(received[0]?.map(({ channel, body }) => [channel, body.type, (body.view as { _id: string })._id])).toEqual([['regions', 'RegionAdded', drawn._id]]);
  });
});

describe('where missed changes are not replayed', () => {
  test('a user who lost the project and regained it has to reload, and gets nothing from the time without access', async () => {
    const zoe = await app.person('Zoe', 'Back');
    const { projectId } = await aProjectWith(ana, { viewers: [`${zoe.uid}-3`] });
    const hers = await socket(ana, projectId);
    const before = await (await socket(zoe)).join(projectId);
    const after = before.ok ? before.position : -1;
    bodyOf(await editPermissions(ana, projectId, [diff(zoe.uid, 3, { removed: true })]));
    const { _id } = await comment(ana, projectId);
    await hers.until(({ body }) => (body.view as { _id?: string } | undefined)?._id === _id);
    const again = await socket(zoe);
    expect(await again.join(projectId, after)).toMatchObject({ ok: false, problem: { code: 'project.not-found' } });
    bodyOf(await invite(ana, projectId, [`${zoe.uid}-3`]));
    again.clear();
    expect(await again.join(projectId, after)).toMatchObject({ ok: true, reload: true });
    expect(again.summary().filter((word) => word.startsWith('comments'))).toEqual([]);
  });

  test('a page that is ahead of the feed does not have to reload', async () => {
    const { projectId } = sharedProject;
    const his = await socket(bob);
    for (let time = 0; time < 10; time += 1) {
      const { headers } = await ana.put(`/api/projects/${projectId}`, { submission: { description: `Words ${time}` } });
      expect(await his.join(projectId, Number(headers.get('x-position')))).not.toHaveProperty('reload');
    }
  });

  test('a position beyond the end of the log has to reload', async () => {
    expect(await (await socket(bob)).join(sharedProject.projectId, Number.MAX_SAFE_INTEGER)).toMatchObject({ ok: true, reload: true });
  });

  test('exactly 500 changes are replayed, one more has to reload', async () => {
    const { projectId, versionId } = await aProjectWith(ana);
    await analysed(ana, versionId);
    const first = await socket(ana, projectId);
    await receivedDuring(ana, projectId, [first]);
    const { position } = (await first.ask('in-project', { projectId })) as { position: number };
    const say = (at: number) => ana.put(`/api/projects/${projectId}`, { submission: { description: `Words ${at}` } });
    for (let at = 0; at < 500; at += 50) {
      const said = await Promise.all(Array.from({ length: 50 }, (_, nth) => say(at + nth)));
      await delivered(Math.max(...said.map(positionIn)), first);
    }
    const reader = await socket(ana);
    expect(await reader.join(projectId, position)).not.toHaveProperty('reload');
    expect(reader.summary()).toEqual(Array.from({ length: 500 }, () => 'projects ProjectDescription'));
    await delivered(positionIn(await say(500)), first);
    const reloads = await socket(ana);
    expect(await reloads.join(projectId, position)).toMatchObject({ ok: true, reload: true });
    expect(reloads.summary()).toEqual([]);
  });

  test('events that are not pushed to the room need no reload, however many there are', async () => {
    // The others' sockets have used up what a person may catch up in a minute.
    const [eve, ida] = await app.people('Eve', 'Ida');
    const { projectId, versionId } = await aProjectWith(eve, { collaborators: [ida] });
    await analysed(eve, versionId);
    const owners = await socket(eve, projectId);
    const { position } = bodyOf(await ida.get<ProjectAnswer>(`/api/projects/${eve.uid}/${projectId}`)).project;
    const note = (at: number) => eve.put(`/api/projects/${projectId}`, { submission: { owner: { notes: { private: `Words ${at}` } } } });
    for (let at = 0; at <= 500; at += 50) {
      const noted = await Promise.all(Array.from({ length: 51 }, (_, nth) => note(at + nth)));
      await delivered(Math.max(...noted.map(positionIn)), owners);
    }
    const reader = await socket(ida);
    expect(await reader.join(projectId, position)).toEqual({ ok: true, position, users: expect.any(Array), log: expect.any(String) });
    expect(reader.summary()).toEqual([]);
  });
});
