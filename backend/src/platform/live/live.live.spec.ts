import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { TestSockets } from '../../testing/test-sockets.js';
import { aProjectWith, createProject, diff, editPermissions, type CreatedProject } from '../../testing/project-over-http.js';
import { bodyOf } from '../../testing/test-client.js';
import { type ReceivedMessage, refusedSocket, socketOf, type TestSocket } from '../../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
});
afterAll(() => listening.stop(app));

const socket = (who: Person, projectId?: string): Promise<TestSocket> => listening.socket(who, projectId);

describe('the handshake', () => {
  test.each([
    ['without a session', () => ({}), 'auth.required'],
    ['with an unknown token', () => ({ token: 'x'.repeat(43) }), 'auth.required'],
    ['with a bad token beside a good cookie', () => ({ token: 'bad', headers: { Cookie: `roughmix_session=${ana.token ?? ''}` } }), 'auth.required'],
  ] as const)('%s is refused with the problem', async (_what, handshake, code) => {
    const refused = await refusedSocket(app.url, handshake());
    expect(refused).toMatchObject({ message: code, data: { type: 'about:blank', code, status: 401 } });
  });

  test('accepts the cookie', async () => {
    const made = await socketOf(app.anonymous, { headers: { Cookie: `roughmix_session=${ana.token ?? ''}` } });
    expect(made.isConnected).toBe(true);
    made.close();
  });

  test('accepts websockets only', async () => {
    const refused = await refusedSocket(app.url, { token: ana.token ?? '', transport: 'polling' });
    expect(refused.data).toBeUndefined();
  });
});

describe('messages from browsers', () => {
  let mine: TestSocket;
  beforeAll(async () => {
    mine = await socket(ana);
  });

  test.each(['in-group', 'left-group', 'update-likes'])('%s is known but not built yet', async (name) => {
    const answer = await mine.ask(name);
    expect(answer).toMatchObject({ ok: false, problem: { type: 'about:blank', status: 404, code: 'message.unknown' } });
  });

  test('an undefined message gets no ack', async () => {
    await expect(mine.ask('nonsense', {}, 300)).rejects.toThrow('timed out');
    expect(await mine.ask('login', {})).toMatchObject({ ok: true });
  });

  test.each([
    [{}],
    [null],
    ['x'],
    [{ projectId: '' }],
    [{ projectId: 7 }],
    [{ projectId: 'x', after: -1 }],
    [{ projectId: 'x', after: 'x' }],
    [{ projectId: 'x', after: 1.5 }],
  ])('in-project %j is invalid', async (body) => {
    expect(await mine.ask('in-project', body)).toMatchObject({ ok: false, problem: { status: 400, code: 'request.invalid' } });
  });

  test('a project the caller cannot see is 404', async () => {
    const { projectId } = await aProjectWith(bob);
    for (const id of [projectId, 'nothing', '__proto__'])
      expect(await mine.join(id)).toMatchObject({ ok: false, problem: { status: 404, code: 'project.not-found' } });
  });

  test('leaving a project without being in it is acknowledged', async () => {
    expect(await mine.ask('left-project', { projectId: 'nothing' })).toMatchObject({ ok: true });
  });
});

describe('currentUsers', () => {
  let sharedProject: CreatedProject;
  let watching: TestSocket;
  beforeAll(async () => {
    sharedProject = await aProjectWith(ana, { viewers: [`${bob.uid}-3`], isPublic: true });
    watching = await socket(ana, sharedProject.projectId);
  });

  const names = ({ body }: ReceivedMessage): readonly string[] => (body.users as readonly { username: string }[]).map(({ username }) => username).toSorted();
  const isHere =
    (...expected: string[]) =>
    (received: ReceivedMessage): boolean =>
      received.channel === 'currentUsers' && names(received).join() === expected.join();

  test('is sent at login and logout, lists a person once however many tabs they have, and never lists visitors', async () => {
    const { projectId } = sharedProject;
    const [one, two, visitor] = [await socket(bob, projectId), await socket(bob, projectId), await socket(uma, projectId)];
    await visitor.ask('login');
    await one.ask('login');
    const first = await watching.until(isHere('Bob Tester'));
    expect(first.body).toEqual({ projectId, users: [expect.objectContaining({ _id: bob.uid, uid: bob.uid, username: 'Bob Tester', firstName: 'Bob' })] });
    await two.ask('login');
    await watching.ask('login');
    await watching.until(isHere('Ana Tester', 'Bob Tester'));
    expect(
      watching.received.filter(({ channel }) => channel === 'currentUsers').every((received) => new Set(names(received)).size === names(received).length),
    ).toBe(true);
    const joined = await (await socket(bob)).join(projectId);
    expect(joined.ok && joined.users.map(({ uid }) => uid).toSorted()).toEqual([ana.uid, bob.uid].toSorted());

    watching.clear();
    await one.ask('logout');
    two.close();
    await watching.until(isHere('Ana Tester'));
    await watching.ask('logout');
    await watching.until(isHere());
    expect(await visitor.join(projectId)).toMatchObject({ ok: true, users: [] });
    expect(visitor.received.filter(({ channel }) => channel === 'currentUsers')).toEqual([]);
  });

  test('is sent when a person leaves the project page, and when they are removed', async () => {
    const { projectId } = sharedProject;
    const his = await socket(bob);
    await his.ask('login');
    await his.join(projectId);
    await watching.until(isHere('Bob Tester'));
    watching.clear();
    expect(await his.ask('left-project', { projectId })).toMatchObject({ ok: true });
    await watching.until(isHere());
    await his.join(projectId);
    await watching.until(isHere('Bob Tester'));
    watching.clear();
    bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 3, { removed: true })]));
    await watching.until(isHere());
  });
});

describe('limits', () => {
  test('a socket may join 20 projects, and joining one twice counts once', async () => {
    const his = await socket(bob);
    const ids = await Promise.all(Array.from({ length: 21 }, async () => bodyOf(await createProject(bob)).newProject._id));
    for (const id of ids.slice(0, 20)) expect(await his.join(id)).toMatchObject({ ok: true });
    expect(await his.join(ids[3] ?? '')).toMatchObject({ ok: true });
    expect(await his.join(ids[20] ?? '')).toMatchObject({ ok: false, problem: { status: 429, code: 'throttled' } });
    await his.ask('left-project', { projectId: ids[0] });
    expect(await his.join(ids[20] ?? '')).toMatchObject({ ok: true });
  });

  test("the 21st socket of a person ends the oldest, and nobody else's", async () => {
    const zoe = await app.person('Zoe');
    const others = await socket(bob);
    const sockets: TestSocket[] = [];
    for (let nth = 0; nth < 21; nth += 1) sockets.push(await socket(zoe));
    await sockets[0]?.disconnected();
    expect(sockets.map(({ isConnected }) => isConnected)).toEqual([false, ...Array.from({ length: 20 }, () => true)]);
    expect(others.isConnected).toBe(true);
  });

  test("the guest's sockets are counted by session", async () => {
    const [one, two] = [await app.guest(), await app.guest()];
    const first = await socket(one);
    for (let nth = 0; nth < 20; nth += 1) await socket(two);
    expect(first.isConnected).toBe(true);
    expect(await first.ask('login')).toMatchObject({ ok: true });
  });
});

describe('the end of a session', () => {
  test('closes its sockets, and those of no other session', async () => {
    const again = await app.signIn('bob.tester@example.org', bob.username);
    const [ends, stays] = [await socket(again), await socket(bob)];
    expect((await again.post('/api/auth/logout')).status).toBe(204);
    await ends.disconnected();
    expect(await stays.ask('login')).toMatchObject({ ok: true });
    expect(await refusedSocket(app.url, { token: again.token ?? '' })).toMatchObject({ message: 'auth.required' });
  });
});
