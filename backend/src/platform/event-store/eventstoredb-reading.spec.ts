import type { ServerHttp2Stream } from 'node:http2';
import { afterEach, expect, test } from '@jest/globals';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { framed, respond, WireNode } from '../../testing/wire-node.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';
import type { ConnectionsOptions } from './eventstoredb-connections.js';

const UNAVAILABLE = 14;
const soon = () => performance.now() + 20_000;

let node: WireNode;
let calls: EventStoreDbCalls;
/** What the node does with each read, in order; the last one also with all that follow. */
const connect = (...reads: ((call: ServerHttp2Stream) => void)[]): Promise<void> => connectWith({}, ...reads);
async function connectWith(options: ConnectionsOptions, ...reads: ((call: ServerHttp2Stream) => void)[]): Promise<void> {
  const onCall = (call: ServerHttp2Stream): void => {
    const read = reads.length > 1 ? reads.shift() : reads[0];
    read?.(call);
  };
  node = await new WireNode({ onCall }).open();
  calls = EventStoreDbCalls.to(node.url, options);
}

afterEach(async () => {
  calls.close();
  await node.close();
});

function event(revision: number): Buffer {
  const { ReadEvent } = streams.ReadResp;
  const recorded = new ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString('5d4ff3cd-4d8f-4d2f-9d5a-0d8f0f8d0001'))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from('project-p1')))
    .setStreamRevision(String(revision))
    .setCommitPosition(String(100 + revision))
    .setPreparePosition(String(100 + revision))
    .setData(Buffer.from('{}'))
    .setCustomMetadata(Buffer.from('{}'));
  recorded.getMetadataMap().set('type', 'Tried').set('content-type', 'application/json');
  return framed(new streams.ReadResp().setEvent(new ReadEvent().setEvent(recorded)).serializeBinary());
}
const lastPosition = (revision: number): Buffer => framed(new streams.ReadResp().setLastStreamPosition(String(revision)).serializeBinary());
const notFound = (): Buffer => framed(new streams.ReadResp().setStreamNotFound(new streams.ReadResp.StreamNotFound()).serializeBinary());

const sends =
  (messages: readonly Buffer[], status = 0) =>
  (call: ServerHttp2Stream): void => {
    respond(call, status);
    for (const message of messages) call.write(message);
    call.end();
  };
/** Sends messages, then loses the connection. */
const cutAfter =
  (messages: readonly Buffer[]) =>
  (call: ServerHttp2Stream): void => {
    respond(call);
    call.write(Buffer.concat([...messages, Buffer.alloc(0)]), () => node.cut());
  };

const stream = () => calls.stream('project-p1', { from: 0, count: 10, due: soon() });
const log = () => calls.all({ from: 0, count: 10, due: soon() });
const revisions = async (page: Promise<readonly { readonly revision: number }[] | null>) => (await page)?.map(({ revision }) => revision) ?? null;
const whole = sends([event(0), event(1), lastPosition(1)]);

test('a page of a stream ends with its last position; a missing stream is null', async () => {
  await connect(whole, sends([lastPosition(1)]), sends([notFound()]));
  expect(await revisions(stream())).toEqual([0, 1]);
  expect(await revisions(stream())).toEqual([]);
  expect(await revisions(stream())).toBeNull();
});

test.each([
  ['after no event', sends([])],
  ['between two events', sends([event(0)])],
  ['with an error', sends([event(0)], UNAVAILABLE)],
  ['with its connection', cutAfter([event(0)])],
])('a page of a stream that ends early, %s, is read again', async (_, early) => {
  await connect(early, whole);
  expect(await revisions(stream())).toEqual([0, 1]);
});

test.each([
  ['with an error', sends([event(0)], UNAVAILABLE)],
  ['with its connection', cutAfter([event(0)])],
])('a page of the log that ends early, %s, is read again', async (_, early) => {
  await connect(early, sends([event(0), event(1)]));
  expect(await revisions(log())).toEqual([0, 1]);
});

test('a page that ends early again and again is read until it is whole', async () => {
  await connect(sends([event(0)]), sends([]), sends([event(0)], UNAVAILABLE), whole);
  expect(await revisions(stream())).toEqual([0, 1]);
});

test('a page that keeps ending early fails, and never looks like the end of the stream or like a missing one', async () => {
  await connect(sends([event(0)]));
  const page = calls.stream('project-p1', { from: 0, count: 10, due: performance.now() + 1_000 });
  await expect(page).rejects.toThrow('EventStoreDB cut a read short');
});

test('a connection that is given up finishes the reads that run on it', async () => {
  const held: ServerHttp2Stream[] = [];
  await connectWith(
    // No connection is too young to be given up.
    { renewMs: 0 },
    (call) => {
      respond(call);
      call.write(event(0));
      held.push(call);
    },
    sends([], UNAVAILABLE),
    (call) => {
      // On another connection by now.
      whole(call);
      for (const each of held.splice(0)) each.end(Buffer.concat([event(1), lastPosition(1)]));
    },
  );
  const running = stream();
  while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await revisions(stream())).toEqual([0, 1]);
  expect(await revisions(running)).toEqual([0, 1]);
});
