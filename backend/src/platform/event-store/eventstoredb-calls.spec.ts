import type { IncomingHttpHeaders } from 'node:http2';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { messageOf, refuse, WireNode } from '../../testing/wire-node.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';

interface RecordedCall {
  readonly headers: IncomingHttpHeaders;
  readonly message: Buffer;
}

const INVALID_ARGUMENT = 3;

const event = { id: '5d4ff3cd-4d8f-4d2f-9d5a-0d8f0f8d0001', json: JSON.stringify({ type: 'Tried', data: {}, meta: {} }) };
let node: WireNode;
let recorded: RecordedCall[];
let calls: EventStoreDbCalls;
const soon = () => performance.now() + 5_000;

/** @throws the server's refusal */
async function subscribed(): Promise<void> {
  const subscription = await calls.follow({ onConfirmed: () => undefined, onEvent: () => undefined });
  throw await subscription.ended;
}

beforeEach(async () => {
  recorded = [];
  node = await new WireNode({
    onCall: (call, headers) =>
      call.once('data', (chunk: Buffer) => {
        recorded.push({ headers, message: messageOf(chunk) });
        refuse(call, INVALID_ARGUMENT);
      }),
  }).open();
  calls = EventStoreDbCalls.to(node.url);
});
afterEach(async () => {
  calls.close();
  await node.close();
});

test.each([
  ['an append', () => calls.append('project-p1', 'none', [event], soon()), 'BatchAppend'],
  ['a page of a stream', () => calls.stream('project-p1', { from: 0, count: 1, due: soon() }), 'Read'],
  ['the end of a stream', () => calls.stream('project-p1', { from: 'end', count: 1, due: soon() }), 'Read'],
  ['a page of the log', () => calls.all({ from: 0, count: 1, due: soon() }), 'Read'],
  ['the end of the log', () => calls.all({ from: 'end', count: 1, due: soon() }), 'Read'],
  ['a subscription', () => subscribed(), 'Read'],
])('%s is asked of the leader', async (_, call, method) => {
  await expect(call()).rejects.toThrow('3 INVALID_ARGUMENT');
  expect(recorded.map(({ headers }) => [headers[':path'], headers['requires-leader']])).toEqual([[`/event_store.client.streams.Streams/${method}`, 'true']]);
});

test('a subscription leaves out system events', async () => {
  await expect(subscribed()).rejects.toThrow('3 INVALID_ARGUMENT');
  const [asked] = recorded.map(({ message }) => streams.ReadReq.deserializeBinary(message).getOptions()?.getFilter()?.getEventType()?.getRegex());
  expect(asked).toBe('^[^$].*');
});
