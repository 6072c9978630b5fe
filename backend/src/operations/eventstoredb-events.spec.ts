import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { EventStoreDbEventStore } from '../platform/event-store/eventstoredb-event-store.js';
import { operate } from '../testing/operate.js';
import { appendNext } from '../testing/append-next.js';

const url = process.env['EVENTSTORE_URL'] ?? '';
const meta = { actorUid: 'ana', at: 1_700_000_000_000, commandId: 'c', correlationId: 'c', causationId: null };

const linesOf = (output: string): readonly { id: string; stream: string; position: number; data: unknown }[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; stream: string; position: number; data: unknown });

/** Runs an operation against the server at EVENTSTORE_URL. */
const onServer = url === '' ? test.skip : test;
const environment = { EVENTSTORE_URL: url, ADMIN_KEY: 'an-admin-key-9f2e71b04c', MASTER_KEY: 'a-master-key-51d09ae37b22' };
const run = async (args: readonly string[], { signal = new AbortController().signal, out = new PassThrough() } = {}) => {
  const output = text(out);
  const code = await operate(args, environment, { out, err: new PassThrough().resume(), signal });
  out.end();
  return { code, lines: linesOf(await output) };
};

onServer('events export and events tail print the same lines for EventStoreDB', async () => {
  const store = await EventStoreDbEventStore.open({ url, onTrouble: () => undefined });
  const stream = `stream-${randomUUID()}`;
  const write = (n: number) =>
    appendNext(store, stream, [{ id: randomUUID(), type: 'OperationTried', data: { n, name: { $sealed: 'AAAA', by: 'ana' } }, meta }]);
  const first = await write(0);
  const last = await write(1);
  const own = async (...args: readonly string[]) => {
    const { code, lines } = await run(['events', ...args]);
    expect(code).toBe(0);
    return lines.filter((line) => line.stream === stream).map(({ data, position }) => ({ data, position }));
  };
  const [one, two] = [
    { data: { n: 0 }, position: first.position },
    { data: { n: 1 }, position: last.position },
  ];
  expect(await own('export')).toEqual([one, two]);
  expect(await own('export', '--until', String(first.position))).toEqual([one]);
  expect(await own('tail', '--after', String(first.position))).toEqual([two]);
  expect((await run(['events', 'tail'])).lines.length).toBeLessThanOrEqual(10);

  const [stop, out] = [new AbortController(), new PassThrough()];
  let received = '';
  const hasReceived = (n: number): boolean =>
    linesOf(received.slice(0, received.lastIndexOf('\n') + 1)).some(({ stream: of, data }) => of === stream && (data as { n: number }).n === n);
  let isWritten = false;
  out.on('data', (chunk: Buffer) => {
    received += chunk.toString();
    if (!isWritten && hasReceived(1)) {
      isWritten = true;
      void write(2);
    }
    if (hasReceived(2)) stop.abort();
  });
  const followed = await run(['events', 'tail', '--after', String(first.position), '--follow'], { signal: stop.signal, out });
  expect(followed.lines.filter((line) => line.stream === stream).map(({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }]);
  await store.close();
});
