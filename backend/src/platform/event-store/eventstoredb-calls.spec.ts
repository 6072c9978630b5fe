import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';

interface RecordedCall {
  readonly headers: IncomingHttpHeaders;
  readonly message: Buffer;
}

/** The length and flag before each gRPC message. */
const PREFIX_BYTES = 5;
const INVALID_ARGUMENT = '3';

/** A gRPC server that records calls and refuses them. */
class RefusingServer {
  readonly calls: RecordedCall[] = [];
  readonly #server = createServer();
  readonly #sessions = new Set<ServerHttp2Session>();

  async open(): Promise<string> {
    this.#server.on('session', (session) => void this.#sessions.add(session));
    this.#server.on('stream', (stream, headers) => {
      stream
        .on('error', () => undefined)
        .once('data', (message: Buffer) => {
          this.calls.push({ headers, message: message.subarray(PREFIX_BYTES) });
          stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': INVALID_ARGUMENT }, { endStream: true });
        });
    });
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `esdb://127.0.0.1:${(this.#server.address() as AddressInfo).port}?tls=false`;
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}

const event = { id: '5d4ff3cd-4d8f-4d2f-9d5a-0d8f0f8d0001', json: JSON.stringify({ type: 'Tried', data: {}, meta: {} }) };
let server: RefusingServer;
let calls: EventStoreDbCalls;
const soon = () => performance.now() + 5_000;

/** @throws the server's refusal */
async function subscribed(): Promise<void> {
  const subscription = calls.follow();
  try {
    await new Promise((_resolve, reject) => subscription.on('error', reject));
  } finally {
    subscription.destroy();
  }
}

beforeEach(async () => {
  server = new RefusingServer();
  calls = EventStoreDbCalls.to(await server.open());
});
afterEach(async () => {
  await calls.close();
  await server.close();
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
  expect(server.calls.map(({ headers }) => [headers[':path'], headers['requires-leader']])).toEqual([
    [`/event_store.client.streams.Streams/${method}`, 'true'],
  ]);
});

test('a subscription leaves out system events', async () => {
  await expect(subscribed()).rejects.toThrow('3 INVALID_ARGUMENT');
  const [asked] = server.calls.map(({ message }) => streams.ReadReq.deserializeBinary(message).getOptions()?.getFilter()?.getEventType()?.getRegex());
  expect(asked).toBe('^[^$].*');
});
