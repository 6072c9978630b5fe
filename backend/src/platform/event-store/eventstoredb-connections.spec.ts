import type { ServerHttp2Stream } from 'node:http2';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { answerGossip, framed, refuse, respond, WireNode } from '../../testing/wire-node.js';
import { EventStoreDbCalls } from './eventstoredb-calls.js';

const UNAVAILABLE = 14;

/** The leader by index; null while no node leads. */
let leader: number | null;
let nodes: WireNode[];
/** The calls that each node got. */
let received: ServerHttp2Stream[][];
let onCall: (call: ServerHttp2Stream, node: number) => void;
let reports: unknown[];
let calls: EventStoreDbCalls;

beforeEach(async () => {
  [leader, nodes, received, reports] = [0, [], [[], []], []];
  onCall = (call) => missing(call);
  for (const at of [0, 1]) {
    const onGossip = (call: ServerHttp2Stream): void =>
      answerGossip(
        call,
        nodes.map(({ target }, index) => ({ target, leads: index === leader })),
      );
    const receive = (call: ServerHttp2Stream): void => {
      received[at]?.push(call);
      onCall(call, at);
    };
    nodes.push(await new WireNode({ onCall: receive, onGossip }).open());
  }
  calls = connect();
});

afterEach(async () => {
  calls.close();
  await Promise.all(nodes.map((node) => node.close()));
});

/** @param renewMs by default no connection is too young to be given up */
function connect({ renewMs = 0 } = {}): EventStoreDbCalls {
  const url = `esdb://${nodes.map(({ target }) => target).join()}?tls=false`;
  return EventStoreDbCalls.to(url, { renewMs, onLeader: (change) => reports.push(change), onNoLeader: (reason) => reports.push(reason) });
}

/** Answers that there is no such stream. */
function missing(call: ServerHttp2Stream): void {
  respond(call);
  call.end(framed(new streams.ReadResp().setStreamNotFound(new streams.ReadResp.StreamNotFound()).serializeBinary()));
}

const read = (ms = 20_000) => calls.stream('project-p1', { from: 0, count: 1, due: performance.now() + ms });
const counts = () => received.map(({ length }) => length);
const NO_LEADER = 'no node leads, as without a majority or during an election';

test('a call waits for a leader until its own deadline, and then fails with the reason', async () => {
  leader = null;
  await expect(read(700)).rejects.toMatchObject({ name: 'ServiceUnavailable', message: `no leader of EventStoreDB was found: ${NO_LEADER}` });
  expect(counts()).toEqual([0, 0]);
  const waiting = read();
  leader = 1;
  expect(await waiting).toBeNull();
  expect(counts()).toEqual([0, 1]);
  expect(reports).toEqual([NO_LEADER, { node: nodes[1]?.target, isAnother: false, ms: expect.any(Number) as unknown }]);
});

test('a read whose node falls silent is answered by the node that leads next', async () => {
  onCall = (call, node) => {
    if (node === 1) missing(call);
    else leader = 1;
  };
  expect(await read()).toBeNull();
  expect(counts()).toEqual([1, 1]);
  expect(reports).toEqual([{ node: nodes[1]?.target, isAnother: true, ms: expect.any(Number) as unknown }]);
});

test.each([
  ['a young connection is kept although a call fails on it', 60_000, [2, 0]],
  ['an older one is given up for the leader of that moment', 0, [1, 1]],
])('%s', async (_, renewMs, expected) => {
  calls.close();
  calls = connect({ renewMs });
  onCall = (call) => {
    [leader, onCall] = [1, (next) => missing(next)];
    refuse(call, UNAVAILABLE);
  };
  expect(await read()).toBeNull();
  expect(counts()).toEqual(expected);
});

test('a subscription that is lost makes the next call look for the leader', async () => {
  const open: ServerHttp2Stream[] = [];
  onCall = (call) => void open.push(call);
  const { ended } = await calls.follow({ onConfirmed: () => undefined, onEvent: () => undefined });
  while (open.length === 0) await new Promise((resolve) => setImmediate(resolve));
  [leader, onCall] = [1, (call) => missing(call)];
  for (const call of open) {
    respond(call, UNAVAILABLE);
    call.end();
  }
  await ended;
  expect(await read()).toBeNull();
  expect(counts()).toEqual([1, 1]);
});
