import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Push, type Topic, userTopic } from '@roughmix/contracts/live.js';
import type { StoredEvent } from '../../kernel/event.js';
import { idInStream } from '../../kernel/stream-name.js';
import { type LiveTestServer, openLiveTestServer } from '../../testing/live-test-server.js';
import type { TestSocket } from '../../testing/test-socket.js';
import { factsOf, type LiveStep, type PushSource } from './live-message.js';
import { UserTopic } from './user-topic.js';

const CLASSES = { NoteSent: { text: 'plain' }, AlarmRung: { text: 'plain' } } as const;

/** Opened by the spec. */
class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

let testStores: LiveTestServer;
/** What builds wait for, by the event's text. */
let gates: Map<string, Gate>;
/** The texts whose builds have begun, in order. */
let begun: string[];
/** The texts whose next build fails. */
let breaks: Set<string>;
let onBegin: () => void;

const textOf = ({ data }: StoredEvent): string => (data as { text?: string }).text ?? '';
const HEAVY = 'x'.repeat(3 * 1024 * 1024);
const push = (event: StoredEvent): Push =>
  ({
    ...factsOf(event),
    type: event.type,
    view: { text: textOf(event), position: event.position, ...(textOf(event) === 'heavy' ? { HEAVY } : {}) },
  }) as unknown as Push;

const sourceOf = (type: string, lane?: PushSource['lane']): PushSource => ({
  ...(lane === undefined ? {} : { lane }),
  steps(event): readonly LiveStep[] {
    if (event.type !== type) return [];
    const topics: readonly Topic[] = textOf(event) === 'both' ? [userTopic('ana'), userTopic('bob')] : [userTopic(idInStream(event))];
    const build = async (): Promise<readonly Push[]> => {
      begun.push(textOf(event));
      onBegin();
      await gates.get(textOf(event))?.opened;
      if (breaks.delete(textOf(event))) throw new Error('the view could not be read');
      return [push(event)];
    };
    return [{ kind: 'emit', topics, channel: 'comments', build }];
  },
});

beforeEach(async () => {
  gates = new Map();
  begun = [];
  breaks = new Set();
  onBegin = () => undefined;
  const streams = { streamsOf: (uid: string) => Promise.resolve([`inbox-${uid}`, `alarms-${uid}`]) };
  testStores = await openLiveTestServer({
    classes: CLASSES,
    kinds: () => [...new UserTopic([streams]).kinds],
    messages: [],
    sources: [sourceOf('NoteSent'), sourceOf('AlarmRung', { name: 'alarms', kinds: ['user'] })],
  });
});
afterEach(async () => {
  for (const gate of gates.values()) gate.open();
  await testStores.close();
});

const note = (uid: string, text: string): Promise<number> => testStores.happen(`inbox-${uid}`, 'NoteSent', { text });
const alarm = (uid: string, text: string): Promise<number> => testStores.happen(`alarms-${uid}`, 'AlarmRung', { text });
const texts = ({ received }: TestSocket): readonly string[] => received.map(({ body }) => (body.view as { text: string }).text);
const receives = (socket: TestSocket, text: string) => socket.until(({ body }) => (body.view as { text: string }).text === text);
/** A build of this text waits until its gate is opened. */
const gate = (text: string): Gate => {
  const made = new Gate();
  gates.set(text, made);
  return made;
};
const builds = (text: string, times = 1): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => (begun.filter((each) => each === text).length >= times ? resolve() : undefined);
    onBegin = look;
    look();
  });
const positionOf = async (socket: TestSocket): Promise<number> => ((await socket.ask('login')) as { position: number }).position;

test("a slow source in a lane of its own does not delay the others, and the room's position is that of its slowest lane", async () => {
  const hers = await testStores.socket('ana');
  const slow = gate('slow');
  const at = await alarm('ana', 'slow');
  await builds('slow');
  await note('ana', 'quick');
  const last = await note('ana', 'quicker');
  await receives(hers, 'quicker');
  expect(texts(hers)).toEqual(['quick', 'quicker']);
  expect(await positionOf(hers)).toBe(at - 1);
  slow.open();
  await receives(hers, 'slow');
  while ((await positionOf(hers)) < last);
  expect(texts(hers)).toEqual(['quick', 'quicker', 'slow']);
});

test('pushes of one lane keep the order of the log', async () => {
  const hers = await testStores.socket('ana');
  const first = gate('first');
  await note('ana', 'first');
  await builds('first');
  await note('ana', 'second');
  await alarm('ana', 'alarm');
  await receives(hers, 'alarm');
  first.open();
  await receives(hers, 'second');
  expect(texts(hers)).toEqual(['alarm', 'first', 'second']);
});

test('a catch-up delivers the missed pushes of every lane, in the order of the log', async () => {
  const hers = await testStores.socket('ana');
  const after = await positionOf(hers);
  await alarm('ana', 'one');
  await note('ana', 'two');
  await alarm('ana', 'three');
  const last = await note('ana', 'four');
  while ((await positionOf(hers)) < last);
  hers.close();
  const again = await testStores.socket('ana');
  expect(await again.ask('login', { after })).toMatchObject({ ok: true, position: last });
  expect(texts(again)).toEqual(['one', 'two', 'three', 'four']);
});

test('a long catch-up does not delay other people, and catch-ups of one person run one at a time', async () => {
  const [hers, his] = [await testStores.socket('ana'), await testStores.socket('bob')];
  const after = await positionOf(hers);
  await note('ana', 'missed');
  await receives(hers, 'missed');
  const long = gate('missed');
  const [one, two] = [await testStores.socket('ana'), await testStores.socket('ana')];
  const answers = [one.ask('login', { after }), two.ask('login', { after })];
  await builds('missed', 2);
  // Bob is served in the meantime: his pushes, and a catch-up of his own.
  await note('bob', 'for Bob');
  await receives(his, 'for Bob');
  const again = await testStores.socket('bob');
  expect(await again.ask('login', { after })).toMatchObject({ ok: true });
  expect(texts(again)).toEqual(['for Bob']);
  expect(begun.filter((text) => text === 'missed')).toHaveLength(2);
  long.open();
  expect(await Promise.all(answers)).toEqual([expect.objectContaining({ ok: true }), expect.objectContaining({ ok: true })]);
  expect([texts(one), texts(two)]).toEqual([['missed'], ['missed']]);
});

test('a catch-up whose socket closed while it waited for its turn reads nothing', async () => {
  const hers = await testStores.socket('ana');
  const after = await positionOf(hers);
  await note('ana', 'missed');
  await receives(hers, 'missed');
  const long = gate('missed');
  const [one, two, three] = [await testStores.socket('ana'), await testStores.socket('ana'), await testStores.socket('ana')];
  const first = one.ask('login', { after });
  await builds('missed', 2);
  void two.ask('login', { after }).catch(() => undefined); // it closes before its answer
  // An answer to a later message shows that it has arrived.
  await (await testStores.socket('bob')).ask('login');
  two.close();
  while (testStores.open() === 5) await turn();
  const last = three.ask('login', { after });
  long.open();
  expect(await Promise.all([first, last])).toEqual([expect.objectContaining({ ok: true }), expect.objectContaining({ ok: true })]);
  expect([texts(one), texts(three)]).toEqual([['missed'], ['missed']]);
  expect(begun.filter((text) => text === 'missed')).toHaveLength(3);
});

test('a catch-up that takes over 5 s has to reload, and sends nothing', async () => {
  const hers = await testStores.socket('ana');
  const after = await positionOf(hers);
  await note('ana', 'one');
  const last = await note('ana', 'two');
  await receives(hers, 'two');
  const long = gate('one');
  const again = await testStores.socket('ana');
  const answer = again.ask('login', { after });
  await builds('one', 2);
  const now = performance.now.bind(performance);
  const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
  try {
    long.open();
    expect(await answer).toMatchObject({ ok: true, reload: true, position: last });
  } finally {
    later.mockRestore();
  }
  expect(texts(again)).toEqual([]);
});

test('a socket that connects while a push is being built gets it too', async () => {
  const hers = await testStores.socket('ana');
  const both = gate('both');
  await note('ana', 'both');
  await builds('both');
  const his = await testStores.socket('bob');
  both.open();
  for (const socket of [hers, his]) await receives(socket, 'both');
  await note('ana', 'last');
  await receives(hers, 'last');
  expect([texts(hers), texts(his)]).toEqual([['both', 'last'], ['both']]);
});

test('sockets in a room whose push could not be built are closed, and catch up when they reconnect', async () => {
  const [hers, his] = [await testStores.socket('ana'), await testStores.socket('bob')];
  const after = await positionOf(hers);
  breaks.add('broken');
  await note('ana', 'broken');
  await hers.disconnected();
  await note('bob', 'whole');
  await receives(his, 'whole');
  const again = await testStores.socket('ana');
  expect(await again.ask('login', { after })).toMatchObject({ ok: true });
  expect(texts(again)).toEqual(['broken']);
});

test('a catch-up is charged by its size, which limits repeated downloads of the same megabytes over any of a person’s sockets', async () => {
  const [hers, his] = [await testStores.socket('ana'), await testStores.socket('bob')];
  const after = await positionOf(hers);
  await note('ana', 'heavy');
  await receives(hers, 'heavy');
  const again = await testStores.socket('ana');
  for (let time = 0; time < 2; time += 1) expect(await again.ask('login', { after })).toMatchObject({ ok: true });
  const [one, two] = [await again.ask('login', { after }), await hers.ask('login', { after })];
  expect(two).toMatchObject({ ok: false, problem: { status: 429, code: 'throttled' } });
  expect([one, await again.ask('login', { after })]).toContainEqual(expect.objectContaining({ ok: false }));
  expect(await his.ask('login')).toMatchObject({ ok: true });
});

test('a catch-up is charged by the events that it reads, also when they are too many to be sent', async () => {
  const hers = await testStores.socket('ana');
  const after = await positionOf(hers);
  for (let nth = 0; nth <= 500; nth += 1) await note('ana', `note ${nth}`);
  await receives(hers, 'note 500');
  const again = await testStores.socket('ana');
  for (let time = 0; time < 2; time += 1) expect(await again.ask('login', { after })).toMatchObject({ ok: true, reload: true });
  expect(await again.ask('login', { after })).toMatchObject({ ok: false, problem: { status: 429, code: 'throttled' } });
});
