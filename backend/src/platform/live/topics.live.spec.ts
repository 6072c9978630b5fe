import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ComingBack } from '@roughmix/contracts/live.api.js';
import { type Push, type Topic, userTopic } from '@roughmix/contracts/live.js';
import { IdField } from '@roughmix/contracts/shared/body.js';
import type { StoredEvent } from '../../kernel/event.js';
import { idInStream } from '../../kernel/stream-name.js';
import { type LiveTestServer, openLiveTestServer } from '../../testing/live-test-server.js';
import type { TestSocket } from '../../testing/test-socket.js';
import { parseBody } from '../http/body.js';
import type { EventStore } from '../event-store/event-store.js';
import { factsOf, type LiveStep, type PushSource } from './live-message.js';
import { type JoinMessage, type TopicKind, Topics } from './topics.js';
import { UserTopic } from './user-topic.js';

/** Everything a slice writes for a topic kind of its own: bands, with streams, members, a join message, pushes and presence. */
const CLASSES = { BandNamed: { name: 'plain' }, BandJoined: { uid: 'plain' }, BandLeft: { uid: 'plain' }, NoteSent: { text: 'plain' } } as const;
const bandTopic = (id: string): Topic => ({ kind: 'group', id });

class InBand extends ComingBack {
  @IdField()
  groupId: string;
}
class LeftBand {
  @IdField()
  groupId: string;
}

const inBand: JoinMessage = {
  join: 'in-group',
  leave: 'left-group',
  kinds: ['group'],
  notFound: 'project.not-found',
  limit: 2,
  readJoin(body) {
    const { groupId, ...from } = parseBody(InBand, body);
    return { id: groupId, ...from };
  },
  readLeave: (body) => parseBody(LeftBand, body).groupId,
};

async function membersOf(store: EventStore, id: string): Promise<ReadonlySet<string>> {
  const members = new Set<string>();
  for (const { type, data } of await store.readStream(`band-${id}`)) {
    if (type === 'BandJoined') members.add((data as { uid: string }).uid);
    if (type === 'BandLeft') members.delete((data as { uid: string }).uid);
  }
  return members;
}

const bandKind = (store: EventStore): TopicKind => ({
  kind: 'group',
  async access(id) {
    const members = await membersOf(store, id);
    return (uid) => members.has(uid);
  },
  streamsOf: (id) => Promise.resolve([`band-${id}`]),
  presence: (groupId) => ({ groupId }),
});

/** Contracts name no such pushes yet. */
const push = (event: StoredEvent, body: object): Push => ({ ...factsOf(event), ...body }) as unknown as Push;

let builds: string[];
const bandPushes: PushSource = {
  steps(event): readonly LiveStep[] {
    const groupId = idInStream(event);
    const emission = (topic: Topic, body: object): LiveStep => ({
      kind: 'emit',
      topics: [topic],
      channel: 'projects',
      build: () => {
        builds.push(`${event.type} for ${topic.kind}:${topic.id}`);
        return Promise.resolve([push(event, body)]);
      },
    });
    if (event.type === 'BandNamed')
      return [emission(bandTopic(groupId), { type: 'GroupEdited', groupId, view: { ...(event.data as object), position: event.position } })];
    if (event.type === 'NoteSent') return [emission(userTopic(groupId), { type: 'NoteSent', view: { ...(event.data as object), position: event.position } })];
    if (event.type !== 'BandLeft') return [];
    const { uid } = event.data as { uid: string };
    const told = emission(userTopic(uid), { type: 'GroupMembersRemoved', groupId, uids: [uid], ids: [groupId] });
    return [{ kind: 'evict', topic: bandTopic(groupId), uids: [uid] }, { ...told, tellsOfLoss: true } as LiveStep];
  },
};

let testStores: LiveTestServer;
beforeEach(async () => {
  builds = [];
  const userStreams = { streamsOf: (uid: string) => Promise.resolve([`inbox-${uid}`, 'band-b1']) };
  const kinds = ({ store }: { readonly store: EventStore }): readonly TopicKind[] => [bandKind(store), ...new UserTopic([userStreams]).kinds];
  testStores = await openLiveTestServer({ classes: CLASSES, kinds, messages: [inBand], sources: [bandPushes] });
  await testStores.happen('band-b1', 'BandJoined', { uid: 'ana' });
  await testStores.happen('band-b1', 'BandJoined', { uid: 'bob' });
});
afterEach(() => testStores.close());

const named = (name: string): Promise<number> => testStores.happen('band-b1', 'BandNamed', { name });
const namesHeard = ({ received }: TestSocket): readonly unknown[] =>
  received.flatMap(({ body }) => (body.type === 'GroupEdited' ? [(body.view as { name: string }).name] : []));
const heardAt = (socket: TestSocket, position: number) => socket.until(({ body }) => body.position === position);
/** Resolves when everything that happened so far has been delivered. */
async function delivered(): Promise<void> {
  const witness = await testStores.socket('ana');
  await heardAt(witness, await testStores.happen('inbox-ana', 'NoteSent', { text: 'the end' }));
  witness.close();
}
const join = (socket: TestSocket, from: object = {}) => socket.ask<{ reload?: true; users: readonly unknown[] }>('in-group', { groupId: 'b1', ...from });

describe('a topic kind that is written in one file', () => {
  test('is joined by its own message, and its room gets its pushes, which carry no projectId', async () => {
    const his = await testStores.socket('bob');
    expect(await join(his)).toEqual({ ok: true, position: expect.any(Number), log: expect.any(String), users: [] });
    const { body } = await heardAt(his, await named('Low tide'));
    expect(body).toEqual({
      type: 'GroupEdited',
      groupId: 'b1',
      actorUid: 'ana',
      commandId: expect.any(String),
      position: body.position,
      view: expect.anything(),
    });
  });

  test('refuses people without access with its own problem, and invalid bodies', async () => {
    const hers = await testStores.socket('uma');
    expect(await join(hers)).toMatchObject({ ok: false, problem: { code: 'project.not-found' } });
    expect(await hers.ask('in-group', { projectId: 'b1' })).toMatchObject({ ok: false, problem: { status: 400 } });
  });

  test('has a limit of its own for each socket', async () => {
    for (const id of ['b2', 'b3']) await testStores.happen(`band-${id}`, 'BandJoined', { uid: 'bob' });
    const his = await testStores.socket('bob');
    for (const groupId of ['b1', 'b2']) expect(await his.ask('in-group', { groupId })).toMatchObject({ ok: true });
    expect(await his.ask('in-group', { groupId: 'b3' })).toMatchObject({ ok: false, problem: { code: 'throttled' } });
    expect(await his.ask('left-group', { groupId: 'b2' })).toMatchObject({ ok: true });
    expect(await his.ask('in-group', { groupId: 'b3' })).toMatchObject({ ok: true });
  });

  test('has presence under its own name', async () => {
    const [hers, his] = [await testStores.socket('ana'), await testStores.socket('bob')];
    await join(hers);
    await his.ask('login');
    expect(await join(his)).toMatchObject({ users: [{ uid: 'bob' }] });
    const { body } = await hers.until(({ channel, body: { users } }) => channel === 'currentUsers' && (users as readonly unknown[]).length === 1);
    expect(body).toEqual({ groupId: 'b1', users: [{ uid: 'bob' }] });
  });

  test('delivers missed pushes to returning members in order and once', async () => {
    const his = await testStores.socket('bob');
    const before = await join(his);
    his.close();
    await named('Ebb');
    const last = await named('Flood');
    await delivered();
    const again = await testStores.socket('bob');
    expect(await join(again, { after: before.ok ? before.position : -1 })).toEqual({ ok: true, position: last + 1, log: expect.any(String), users: [] });
    await heardAt(again, await named('Tide'));
    expect(namesHeard(again)).toEqual(['Ebb', 'Flood', 'Tide']);
  });

  test('removes users who lost access, and replays nothing from the time without access', async () => {
    const [hers, his] = [await testStores.socket('ana'), await testStores.socket('bob')];
    await join(hers);
    const before = await join(his);
    await testStores.happen('band-b1', 'BandLeft', { uid: 'bob' });
    await his.until(({ body }) => body.type === 'GroupMembersRemoved');
    await heardAt(hers, await named('Ebb'));
    const from = { after: before.ok ? before.position : -1 };
    expect(await join(his, from)).toMatchObject({ ok: false, problem: { code: 'project.not-found' } });
    await testStores.happen('band-b1', 'BandJoined', { uid: 'bob' });
    await delivered();
    expect(await join(his, from)).toMatchObject({ ok: true, reload: true });
    expect(namesHeard(his)).toEqual([]);
  });
});

describe('the room of a person', () => {
  test('gets pushes and catch-up of any stream, merged in the order of the log', async () => {
    const his = await testStores.socket('bob');
    await heardAt(his, await testStores.happen('inbox-bob', 'NoteSent', { text: 'one' }));
    const { position: after } = (await his.ask('login')) as { position: number };
    his.close();
    const positions = [
      await testStores.happen('inbox-bob', 'NoteSent', { text: 'two' }),
      await testStores.happen('band-b1', 'BandLeft', { uid: 'bob' }),
      await testStores.happen('inbox-bob', 'NoteSent', { text: 'three' }),
    ];
    await delivered();
    const again = await testStores.socket('bob');
    const answer = await again.ask('login', { after });
    expect(answer).toEqual({ ok: true, position: expect.any(Number), log: expect.any(String) });
    expect(again.received.map(({ body }) => [body.type, body.position])).toEqual([
      ['NoteSent', positions[0]],
      ['GroupMembersRemoved', positions[1]],
      ['NoteSent', positions[2]],
    ]);
    expect(again.received.every(({ body }) => !('projectId' in body))).toBe(true);
  });

  test('has to be reloaded if the person lost access to something and regained it', async () => {
    const his = await testStores.socket('bob');
    const { position: after } = (await his.ask('login')) as { position: number };
    his.close();
    await testStores.happen('band-b1', 'BandLeft', { uid: 'bob' });
    await testStores.happen('band-b1', 'BandJoined', { uid: 'bob' });
    await delivered();
    const again = await testStores.socket('bob');
    expect(await again.ask('login', { after })).toMatchObject({ ok: true, reload: true });
    expect(again.summary()).toEqual([]);
  });
});

test('views are built only for rooms with a socket in this process', async () => {
  await named('Nobody connected');
  const his = await testStores.socket('bob');
  await testStores.happen('inbox-uma', 'NoteSent', { text: 'Uma is not connected' });
  await named('Nobody joined');
  await heardAt(his, await testStores.happen('inbox-bob', 'NoteSent', { text: 'here' }));
  await join(his);
  await heardAt(his, await named('Bob joined'));
  expect(builds).toEqual(['NoteSent for user:bob', 'BandNamed for group:b1']);
});

test('two sources that register the same kind or message do not start', () => {
  const kinds = [bandKind(testStores.store)];
  expect(() => new Topics([{ kinds }, { kinds }])).toThrow('the topic kind group is registered twice');
  expect(
    () =>
      new Topics([
        { kinds, joins: [inBand] },
        { kinds: [], joins: [inBand] },
      ]),
  ).toThrow('the message in-group is registered twice');
});
