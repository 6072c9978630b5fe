import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { io, type Socket } from 'socket.io-client';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { TestSockets } from '../../testing/test-sockets.js';
import { analysed, aProjectWith, region, type CreatedProject } from '../../testing/project-over-http.js';
import type { TestSocket } from '../../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let sharedProject: CreatedProject;
let others: TestSocket;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  sharedProject = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
  await analysed(ana, sharedProject.versionId);
  others = await listening.socket(bob, sharedProject.projectId);
});
afterAll(() => listening.stop(app));

/** A raw connection: sends any packet and records every packet received. */
async function bare(who: Person): Promise<{ readonly socket: Socket; readonly packets: readonly string[]; readonly send: (packet: string) => void }> {
  const socket = io(app.url, { transports: ['websocket'], auth: { token: who.token }, forceNew: true, reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const packets: string[] = [];
  socket.io.engine.on('packet', ({ type, data }: { type: string; data?: unknown }) => void (type === 'message' && packets.push(String(data))));
  return { socket, packets, send: (packet) => void socket.io.engine.write(packet) };
}

/** Adds a region and waits until it was pushed. */
async function pushedRegion(): Promise<void> {
  const { _id } = await region(ana, sharedProject);
  await others.until(({ body }) => body.type === 'RegionAdded' && (body.view as { _id: string })._id === _id);
}

/** Other sockets are served as before. */
async function expectOthersServed(): Promise<void> {
  others.clear();
  await pushedRegion();
}

describe('bodies', () => {
  test.each<[what: string, name: string, body: unknown, code: string]>([
    ['an unknown field', 'in-project', { projectId: 'x', evil: 1 }, 'request.unknown-field'],
    ['another room', 'in-project', { projectId: 'x', room: 'user:bob' }, 'request.unknown-field'],
    ['__proto__', 'in-project', JSON.parse('{"projectId":"x","__proto__":{"after":1}}'), 'request.unknown-field'],
    ['constructor', 'left-project', { projectId: 'x', constructor: 1 }, 'request.unknown-field'],
    ['a list', 'in-project', ['x'], 'request.invalid'],
    ['a number', 'login', 7, 'request.invalid'],
    ['a field of login', 'login', { name: 'x' }, 'request.unknown-field'],
    ['an id that is too long', 'in-project', { projectId: 'x'.repeat(65) }, 'request.invalid'],
    ['an id that is an object', 'left-project', { projectId: { toString: 1 } }, 'request.invalid'],
    ['a position that is not a safe integer', 'in-project', { projectId: 'x', after: 2 ** 53 }, 'request.invalid'],
    ['no position', 'in-project', { projectId: 'x', after: null }, 'request.invalid'],
    ['a log that is not a string', 'in-project', { projectId: 'x', log: 1 }, 'request.invalid'],
  ])('%s is refused', async (_what, name, body, code) => {
    const mine = await listening.socket(ana);
    expect(await mine.ask(name, body)).toMatchObject({ ok: false, problem: { status: 400, code } });
    expect(({} as { after?: unknown }).after).toBeUndefined();
    mine.close();
  });

  test('an identity that a client claims is ignored', async () => {
    const mine = await listening.socket(ana);
    expect(await mine.ask('login', { user: 'bob', uid: bob.uid })).toMatchObject({ ok: true });
    expect(await mine.ask('in-project', { projectId: sharedProject.projectId, uid: bob.uid })).toMatchObject({ ok: true, users: [{ uid: ana.uid }] });
    mine.close();
  });

  test('a body over 64 kB closes its connection, and others are not affected', async () => {
    const mine = await listening.socket(ana);
    await expect(mine.ask('in-project', { projectId: 'x'.repeat(70_000) })).rejects.toThrow('socket has been disconnected');
    await mine.disconnected();
    await expectOthersServed();
  });
});

describe('any message', () => {
  test('a body nested deeper than any stack is refused', async () => {
    const { socket, packets, send } = await bare(ana);
    send(`24["in-project",{"projectId":${'['.repeat(30_000)}${']'.repeat(30_000)}}]`);
    await socket.timeout(5_000).emitWithAck('login', {});
    expect(packets.find((packet) => packet.startsWith('34'))).toContain('"code":"request.invalid"');
    socket.disconnect();
  });

  test('is also handled without a callback', async () => {
    const { socket } = await bare(bob);
    socket.emit('login', {});
    socket.emit('in-project', { projectId: sharedProject.projectId });
    socket.emit('in-project');
    socket.emit('left-project', null);
    await others.until(({ channel, body }) => channel === 'currentUsers' && (body.users as readonly { uid: string }[]).some(({ uid }) => uid === bob.uid));
    expect(socket.connected).toBe(true);
    socket.disconnect();
  });

  test('gets one ack', async () => {
    const { socket, packets, send } = await bare(ana);
    send('21["login",{}]');
    send('22["in-project",{"projectId":"x"},"more"]');
    send('23["update-likes",{}]');
    await socket.timeout(5_000).emitWithAck('login', {});
    expect(packets.filter((packet) => packet.startsWith('3')).map((packet) => packet.slice(0, packet.indexOf('[')))).toEqual(['31', '32', '33', '30']);
    socket.disconnect();
  });

  test.each(['error', '__proto__', 'constructor', 'toString'])('the name %s does nothing', async (name) => {
    const { socket, packets, send } = await bare(ana);
    send(`27["${name}",{}]`);
    await socket.timeout(5_000).emitWithAck('login', {});
    expect(packets.filter((packet) => packet.startsWith('37'))).toEqual([]);
    socket.disconnect();
  });

  test.each([
    '2["disconnect"]',
    '2["newListener",{}]',
    '2["connect_error",{}]',
    '2[]',
    '2{"a":1}',
    '2[',
    '9',
    '5999999-["x"]',
    '2["in-project",{"_placeholder":true,"num":9}]',
    '',
  ])('the packet %j closes at most its own connection', async (packet) => {
    const { socket, send } = await bare(ana);
    send(packet);
    await socket
      .timeout(1_000)
      .emitWithAck('login', {})
      .catch(() => undefined); // closed or answered: both are fine
    socket.disconnect();
    await expectOthersServed();
  });
});

describe('a flood', () => {
  test('is answered with 429 on its own socket, while others are served', async () => {
    const opened = performance.now();
    const mine = await listening.socket(await app.person('Flora'));
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => mine.ask('in-project', { projectId: 'x' })));
    const refused = answers.filter((answer) => !answer.ok && answer.problem.code === 'throttled');
    const most = 100 + (20 * (performance.now() - opened)) / 1_000;
    expect(refused[0]).toMatchObject({ ok: false, problem: { type: 'about:blank', status: 429, code: 'throttled' } });
    const taken = answers.filter((answer) => !answer.ok && answer.problem.code === 'project.not-found').length;
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(taken).toBeLessThanOrEqual(most);
    expect(taken + refused.length).toBe(answers.length);
    expect(await others.ask('login')).toMatchObject({ ok: true });
    await expectOthersServed();
    expect(mine.isConnected).toBe(true);
  });

  test('spread over many sockets of a person is one flood', async () => {
    const cleo = await app.person('Cleo');
    const opened = performance.now();
    const hers = await Promise.all(Array.from({ length: 5 }, () => listening.socket(cleo)));
    const answers = await Promise.all(hers.flatMap((each) => Array.from({ length: 100 }, () => each.ask('in-project', { projectId: 'x' }))));
    const taken = answers.filter((answer) => !answer.ok && answer.problem.code === 'project.not-found').length;
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(taken).toBeLessThanOrEqual(100 + (20 * (performance.now() - opened)) / 1_000);
    expect(await others.ask('login')).toMatchObject({ ok: true });
  });
});

describe('the log', () => {
  test('has an identity, and a client of another log has to reload', async () => {
    const mine = await listening.socket(bob);
    const { projectId } = sharedProject;
    await pushedRegion();
    const first = await mine.join(projectId);
    if (!first.ok) throw new Error('not let in');
    expect(first.log).toMatch(/^[\w-]{16}$/);
    await pushedRegion();
    const elsewhere = await listening.socket(bob);
    expect(await elsewhere.ask('in-project', { projectId, after: first.position, log: 'another' })).toMatchObject({ ok: true, reload: true, log: first.log });
    expect(elsewhere.summary()).toEqual([]);
    const here = await listening.socket(bob);
    expect(await here.ask('in-project', { projectId, after: first.position, log: first.log })).not.toHaveProperty('reload');
    expect(here.summary()).toEqual(['regions RegionAdded']);
  });
});
