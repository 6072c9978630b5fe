import type { ServerHttp2Stream } from 'node:http2';
import { afterEach, expect, test } from '@jest/globals';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { framed, messageOf, respond, WireNode } from '../../testing/wire-node.js';
import { DeadlineExceeded } from '../health/deadline.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';

const event = { id: '5d4ff3cd-4d8f-4d2f-9d5a-0d8f0f8d0001', json: JSON.stringify({ type: 'Tried', data: {}, meta: {} }) };
const soon = () => performance.now() + 20_000;
const appended = { revision: 0, position: 7 };

let node: WireNode;
let calls: EventStoreDbCalls;
let opened: ServerHttp2Stream[];

/** @param onAppend gets each append of each call, and answers it or does not */
async function connect(onAppend: (request: streams.BatchAppendReq, call: ServerHttp2Stream) => void): Promise<void> {
  opened = [];
  const onCall = (call: ServerHttp2Stream): void => {
    opened.push(call);
    respond(call);
    call.on('data', (chunk: Buffer) => {
      for (let left = chunk; left.length > 0;) {
        const length = left.readUInt32BE(1) + 5;
        onAppend(streams.BatchAppendReq.deserializeBinary(messageOf(left.subarray(0, length))), call);
        left = left.subarray(length);
      }
    });
  };
  node = await new WireNode({ onCall }).open();
  calls = EventStoreDbCalls.to(node.url);
}

afterEach(async () => {
  calls.close();
  await node.close();
});

const streamOf = (request: streams.BatchAppendReq): string => Buffer.from(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();

function answer(request: streams.BatchAppendReq, call: ServerHttp2Stream): void {
  const { Success } = streams.BatchAppendResp;
  const success = new Success().setCurrentRevision('0').setPosition(new shared.AllStreamPosition().setCommitPosition('7').setPreparePosition('7'));
  call.write(framed(new streams.BatchAppendResp().setCorrelationId(request.getCorrelationId()).setSuccess(success).serializeBinary()));
}

test('appends share one call that stays open, and answers in any order find theirs', async () => {
  const waiting: (() => void)[] = [];
  await connect((request, call) => {
    waiting.unshift(() => answer(request, call));
    if (waiting.length === 3) for (const send of waiting.splice(0)) send();
  });
  for (let round = 0; round < 100; round += 1) {
    const answers = ['a', 'b', 'c'].map((name) => calls.append(`project-${name}`, 'none', [event], soon()));
    expect(await Promise.all(answers)).toEqual([appended, appended, appended]);
  }
  expect(opened.map(({ closed }) => closed)).toEqual([false]);
});

test('an append without an answer fails at its own deadline and holds up no other', async () => {
  await connect((request, call) => {
    if (streamOf(request) !== 'project-silent') answer(request, call);
  });
  const silent = calls.append('project-silent', 'none', [event], performance.now() + 1_000);
  silent.catch(() => undefined);
  for (let n = 0; n < 50; n += 1) await expect(calls.append(`project-p${n}`, 'none', [event], soon())).resolves.toEqual(appended);
  await expect(silent).rejects.toThrow(DeadlineExceeded);
  await expect(calls.append('project-later', 'none', [event], soon())).resolves.toEqual(appended);
  expect(opened).toHaveLength(1);
});

test('when the call ends, its appends without an answer fail, and the next append opens another', async () => {
  await connect((request, call) => {
    if (streamOf(request) === 'project-last') call.end();
    else if (streamOf(request) === 'project-next') answer(request, call);
  });
  const lost = calls.append('project-lost', 'none', [event], soon());
  lost.catch(() => undefined);
  await expect(calls.append('project-last', 'none', [event], soon())).rejects.toThrow('EventStoreDB ended the call for appends');
  await expect(lost).rejects.toThrow('EventStoreDB ended the call for appends');
  await expect(calls.append('project-next', 'none', [event], soon())).resolves.toEqual(appended);
});
