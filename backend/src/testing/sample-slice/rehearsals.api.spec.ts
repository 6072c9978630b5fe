import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ProjectionsAnswer } from '@roughmix/contracts/admin/admin.view.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EmbeddedEventStore } from '../../platform/event-store/embedded-event-store.js';
import { type Person, startApp, type TestApp } from '../app.js';
import { TestSockets } from '../test-sockets.js';
import { type Answer, bodyOf, expectRefused } from '../test-client.js';
import type { TestSocket } from '../test-socket.js';
import type { RehearsalAnswer, RehearsalNoticesAnswer, RehearsalNoticeView, RehearsalView } from './rehearsal.view.js';
import { rehearsalStream } from './rehearsal.events.js';
import { rehearsalsSlice } from './rehearsals.slice.js';

const HOUR_MS = 60 * 60_000;
/** How far the program's clock is ahead. */
const time = { ahead: 0 };
const now = (): number => Date.now() + time.ahead;

const sockets = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
/** Not invited. */
let eve: Person;

beforeAll(async () => {
  app = await startApp({}, { manifests: [rehearsalsSlice], clock: now });
  [ana, bob, uma, eve] = await app.people('Ana', 'Bob', 'Uma', 'Eve');
});
afterAll(() => sockets.stop(app));

const path = (id: string, what = ''): string => `/api/rehearsals/${id}${what}`;
const rehearsalIn = (answer: Answer<RehearsalAnswer>): RehearsalView => bodyOf(answer).rehearsal;
const seen = async (who: Person, id: string): Promise<RehearsalView> => rehearsalIn(await who.get(path(id)));
const move = async (id: string, startsAt: number): Promise<RehearsalView> => rehearsalIn(await ana.put(path(id, '/start'), { startsAt }));
const act = async (who: Person, id: string, what: 'join' | 'leave' | 'cancel'): Promise<RehearsalView> => rehearsalIn(await who.post(path(id, `/${what}`)));
const schedule = async (startsAt = now() + HOUR_MS): Promise<string> =>
  rehearsalIn(await ana.post('/api/rehearsals', { place: 'Barn', startsAt, invitedUids: [bob.uid, uma.uid] }))._id;
/** Ana's, with Bob and Uma in it. */
async function scheduleForAll(startsAt?: number): Promise<string> {
  const id = await schedule(startsAt);
  for (const who of [bob, uma]) await act(who, id, 'join');
  return id;
}
const notices = async (who: Person, id: string): Promise<readonly RehearsalNoticeView[]> =>
  bodyOf(await who.get<RehearsalNoticesAnswer>('/api/rehearsals/notices')).notices.filter(({ rehearsalId }) => rehearsalId === id);

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
const started = (id: string): Promise<void> => until(async () => (await seen(ana, id)).phase === 'started');

/** Stops the program, lets some hours go by, and starts it again on the same folder. */
async function restartAfter(hours: number, meanwhile?: () => Promise<void>): Promise<void> {
  await app.restart(async () => {
    time.ahead += hours * HOUR_MS;
    await meanwhile?.();
  });
  [ana, bob, uma, eve] = [app.again(ana), app.again(bob), app.again(uma), app.again(eve)];
}

const enter = (socket: TestSocket, groupId: string, from: object = {}) => socket.ask<{ log: string; reload?: true }>('in-group', { groupId, ...from });
/** What a socket has received of a rehearsal, as types with positions. */
const receivedBy = ({ received }: TestSocket, id: string) =>
  received.flatMap(({ channel, body }) => (channel === 'rehearsals' && (body.view as RehearsalView)._id === id ? [[body.type, body.position]] : []));
const heardAt = (socket: TestSocket, position: number) => socket.until(({ channel, body }) => channel === 'rehearsals' && body.position === position);

describe('commands', () => {
  test('a rehearsal is scheduled once, however often the command is sent', async () => {
    const send = () => ana.post<RehearsalAnswer>('/api/rehearsals', body, { 'Idempotency-Key': key });
    const [key, body] = [randomUUID(), { place: 'Barn', startsAt: now() + HOUR_MS, invitedUids: [bob.uid] }];
    const [first, second] = [await send(), await send()];
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(second.body).toEqual(first.body);
    expect(first.body.rehearsal).toEqual({
      _id: expect.any(String),
      hostUid: ana.uid,
      place: 'Barn',
      startsAt: body.startsAt,
      phase: 'planned',
      memberUids: [ana.uid],
      position: Number(first.headers.get('x-position')),
    });
    expectRefused(await ana.post('/api/rehearsals', { ...body, place: 'Cellar' }, { 'Idempotency-Key': key }), 'command.key-reused');
  });

  test('a rehearsal does not exist for people who are not invited, and only its host moves and cancels it', async () => {
    const id = await schedule();
    for (const answer of [await eve.get(path(id)), await eve.post(path(id, '/join')), await eve.put(path(id, '/start'), { startsAt: 1 })]) {
      expectRefused(answer, 'route.not-found');
    }
    expectRefused(await bob.put(path(id, '/start'), { startsAt: 1 }), 'actor.mismatch');
    expectRefused(await bob.post(path(id, '/cancel')), 'actor.mismatch');
    expectRefused(await ana.put(path(id, '/start'), { startsAt: 'soon' }), 'request.invalid', { errors: expect.any(Array) as never });
  });
});

test('each member but the one who acted is notified, and nobody who has left', async () => {
  const id = await scheduleForAll();
  const [first, second] = [now() + 2 * HOUR_MS, now() + 3 * HOUR_MS];
  const moved = { rehearsalId: id, type: 'RehearsalMoved', startsAt: first, position: (await move(id, first)).position };
  expect([await notices(ana, id), await notices(bob, id), await notices(uma, id)]).toEqual([[], [moved], [moved]]);
  expect((await act(bob, id, 'leave')).memberUids.toSorted()).toEqual([ana.uid, uma.uid].toSorted());
  const again = { rehearsalId: id, type: 'RehearsalMoved', startsAt: second, position: (await move(id, second)).position };
  expect([await notices(ana, id), await notices(bob, id), await notices(uma, id)]).toEqual([[], [moved], [again, moved]]);
});

describe('live', () => {
  test('members get a push in the room and in their own when a rehearsal moves; others cannot join the room', async () => {
    const id = await scheduleForAll();
    const [inRoom, inOwn, stranger] = [await sockets.socket(bob), await sockets.socket(uma), await sockets.socket(eve)];
    expect(await enter(inRoom, id)).toEqual({ ok: true, position: expect.any(Number), log: expect.any(String), users: [] });
    expect(await enter(stranger, id)).toMatchObject({ ok: false, problem: { status: 404, code: 'route.not-found' } });
    const view = await move(id, now() + 2 * HOUR_MS);
    for (const socket of [inRoom, inOwn]) {
      const { body } = await heardAt(socket, view.position);
      expect(body).toEqual({ type: 'RehearsalMoved', actorUid: ana.uid, commandId: expect.any(String), position: view.position, view });
    }
    await stranger.ask('login');
    expect(stranger.summary()).toEqual([]);
  });

  test('a member who leaves is removed from the room, and gets nothing from the time in between on returning', async () => {
    const id = await scheduleForAll();
    const [his, hers] = [await sockets.socket(bob), await sockets.socket(uma)];
    const before = await enter(his, id);
    expect([before, await enter(hers, id)]).toMatchObject([{ ok: true }, { ok: true }]);
    const left = await act(bob, id, 'leave');
    const moved = await move(id, now() + 2 * HOUR_MS);
    await heardAt(hers, moved.position);
    await his.ask('login');
    expect(receivedBy(his, id)).toEqual([]);
    expect([...new Set(receivedBy(hers, id).map(String))]).toEqual([`RehearsalMembers,${left.position}`, `RehearsalMoved,${moved.position}`]);
    expect(await enter(his, id)).toMatchObject({ ok: false, problem: { code: 'route.not-found' } });
    const { position } = await act(bob, id, 'join');
    await heardAt(hers, position);
    expect(await enter(his, id, { after: before.ok ? before.position : -1 })).toMatchObject({ ok: true, reload: true });
    expect(receivedBy(his, id)).toEqual([]);
  });

  test('missed pushes arrive when a member returns to the room, and in their own room when they sign in again', async () => {
    const id = await scheduleForAll();
    const before = await sockets.socket(bob);
    const room = await enter(before, id);
    const own = await before.ask('login');
    before.close();
    const positions = [(await move(id, now() + 2 * HOUR_MS)).position, (await move(id, now() + 3 * HOUR_MS)).position];
    const missed = positions.map((position) => ['RehearsalMoved', position]);
    await heardAt(await witness(id), (await act(ana, id, 'cancel')).position);
    const cancelled = ['RehearsalCancelled', (await seen(ana, id)).position];
    const [inRoom, inOwn] = [await sockets.socket(bob), await sockets.socket(bob)];
    expect(await enter(inRoom, id, { after: room.ok ? room.position : -1 })).toEqual({
      ok: true,
      position: expect.any(Number),
      log: expect.any(String),
      users: [],
    });
    expect(receivedBy(inRoom, id)).toEqual([...missed, cancelled]);
    expect(await inOwn.ask('login', { after: own.ok ? own.position : -1 })).toEqual({ ok: true, position: expect.any(Number), log: expect.any(String) });
    expect(receivedBy(inOwn, id)).toEqual([...missed, cancelled]);
  });

  /** A socket in the room: once it has received something, that was delivered. */
  async function witness(id: string): Promise<TestSocket> {
    const socket = await sockets.socket(uma);
    await enter(socket, id);
    return socket;
  }
});

describe('the timer', () => {
  /** The types of a rehearsal's events, read from the log of the stopped program. */
  async function typesIn(id: string): Promise<readonly string[]> {
    const store = await EmbeddedEventStore.open({ file: join(app.folder, 'log.db') });
    const events = await store.readStream(rehearsalStream(id));
    await store.close();
    return events.map(({ type }) => type);
  }

  test('starts a rehearsal once when its time has come, and members are notified', async () => {
    const his = await sockets.socket(bob);
    const id = await scheduleForAll();
    const { position } = await move(id, now());
    await started(id);
    await heardAt(his, (await seen(bob, id)).position);
    expect(receivedBy(his, id).map(([type]) => type)).toEqual(['RehearsalMoved', 'RehearsalStarted']);
    expect((await notices(uma, id)).map(({ type, startsAt }) => [type, startsAt])).toEqual([
      ['RehearsalStarted', (await seen(uma, id)).startsAt],
      ['RehearsalMoved', (await seen(uma, id)).startsAt],
    ]);
    expect((await notices(bob, id)).at(-1)?.position).toBe(position);
    await app.reactorsIdle();
    let types: readonly string[] = [];
    await restartAfter(1, async () => {
      types = await typesIn(id);
    });
    expect(types).toEqual(['RehearsalScheduled', 'RehearsalJoined', 'RehearsalJoined', 'RehearsalMoved', 'RehearsalStarted']);
  });

  test('survives a restart, is set again when the rehearsal moves, and does nothing for a cancelled one', async () => {
    const startsAt = now() + HOUR_MS;
    const [cancelled, moved, due] = [await scheduleForAll(startsAt), await schedule(startsAt), await scheduleForAll(startsAt + 1)];
    await act(ana, cancelled, 'cancel');
    await move(moved, startsAt + 20 * HOUR_MS);
    await app.reactorsIdle();
    expect((await seen(ana, due)).phase).toBe('planned');
    await restartAfter(2);
    // Timers fire in the order of their instants: once this one has, an earlier one would have too.
    await started(due);
    expect([(await seen(bob, cancelled)).phase, (await seen(bob, moved)).phase]).toEqual(['cancelled', 'planned']);
    await restartAfter(20);
    await started(moved);
    let types: readonly string[] = [];
    await restartAfter(0, async () => {
      types = await typesIn(cancelled);
    });
    expect(types).toEqual(['RehearsalScheduled', 'RehearsalJoined', 'RehearsalJoined', 'RehearsalCancelled']);
  });
});

test('the read model of rehearsals is the same after a rebuild from the log', async () => {
  const id = await scheduleForAll();
  await move(id, now() + 2 * HOUR_MS);
  await act(bob, id, 'leave');
  await act(ana, id, 'cancel');
  const everything = async (): Promise<unknown> => [
    await seen(ana, id),
    ...(await Promise.all([ana, bob, uma, eve].map(async (who) => (await who.get('/api/rehearsals/notices')).body))),
  ];
  const before = await everything();
  const projections = `/api/admin/${app.adminKey}/projections`;
  const { body } = await app.anonymous.post<{ generation: number }>(`${projections}/rehearsals/rebuild`);
  await until(async () =>
    bodyOf(await app.anonymous.get<ProjectionsAnswer>(projections)).projections.some(
      ({ projector, generation, rebuild }) => projector === 'rehearsals' && generation === body.generation && rebuild === null,
    ),
  );
  expect(await everything()).toEqual(before);
});
