import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { afterEach, expect, test } from '@jest/globals';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { framed, GrpcServer, messageOf } from '../../testing/grpc-server.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';

const event = { id: '5d4ff3cd-4d8f-4d2f-9d5a-0d8f0f8d0001', json: JSON.stringify({ type: 'Tried', data: {}, meta: {} }) };
const soon = () => performance.now() + 5_000;
const WRITE_MS = 5;

let server: GrpcServer;
let calls: EventStoreDbCalls;

async function connect(onCall: (call: ServerHttp2Stream) => void): Promise<void> {
  server = new GrpcServer(onCall);
  calls = EventStoreDbCalls.to(await server.open());
}

afterEach(async () => {
  await calls.close();
  await server.close();
});

function answerTo(request: Buffer): Buffer {
  const { Success } = streams.BatchAppendResp;
  const success = new Success().setCurrentRevision('0').setPosition(new shared.AllStreamPosition().setCommitPosition('7').setPreparePosition('7'));
  const answer = new streams.BatchAppendResp().setCorrelationId(streams.BatchAppendReq.deserializeBinary(messageOf(request)).getCorrelationId());
  return framed(answer.setSuccess(success).serializeBinary());
}

function respond(call: ServerHttp2Stream): void {
  call.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  call.on('wantTrailers', () => call.sendTrailers({ 'grpc-status': '0' }));
}

/** Answers as EventStoreDB does: the answer ends the call only if the client has closed the request side by then. */
function answerAsServer(call: ServerHttp2Stream): void {
  call.once('data', (request: Buffer) => {
    respond(call);
    setTimeout(() => (call.readableEnded ? call.end(answerTo(request)) : call.write(answerTo(request))), WRITE_MS);
  });
}

test('an append closes its request side without waiting for the answer', async () => {
  // This server answers closed requests only.
  await connect((call) => {
    call.once('data', (request: Buffer) =>
      call.on('end', () => {
        respond(call);
        call.end(answerTo(request));
      }),
    );
  });
  await expect(calls.append('project-p1', 'none', [event], soon())).resolves.toEqual({ revision: 0, position: 7 });
});

test('300 appends at once leave no call open, so the connection takes another', async () => {
  const closed: Promise<unknown>[] = [];
  await connect((call) => {
    closed.push(once(call, 'close'));
    answerAsServer(call);
  });
  const due = soon();
  const appended = await Promise.all(Array.from({ length: 300 }, (_, i) => calls.append(`project-p${i}`, 'none', [event], due)));
  expect(appended).toEqual(Array.from({ length: 300 }, () => ({ revision: 0, position: 7 })));
  await Promise.all(closed);
  expect(closed).toHaveLength(300);
  await expect(calls.append('project-p1', 'none', [event], soon())).resolves.toEqual({ revision: 0, position: 7 });
});
