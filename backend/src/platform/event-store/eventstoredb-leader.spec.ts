import { once } from 'node:events';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '../../testing/free-port.js';
import { loopbackCertificate } from '../../testing/loopback-certificate.js';
import { answerGossip, refuse, WireNode } from '../../testing/wire-node.js';
import { addressOf } from './eventstoredb-address.js';
import { findLeader } from './eventstoredb-leader.js';

const [PERMISSION_DENIED, UNAUTHENTICATED] = [7, 16];

const opened: WireNode[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((node) => node.close()));
});

/** Nodes that each name leaders, by index of the node; null answers nothing, as a frozen one. */
async function cluster(...views: readonly (readonly number[] | null)[]): Promise<readonly string[]> {
  const targets: string[] = [];
  for (const view of views) {
    const node = await new WireNode({
      onCall: (call) => call.close(),
      onGossip: (call) => {
        if (view !== null)
          answerGossip(
            call,
            targets.map((target, at) => ({ target, leads: view.includes(at) })),
          );
      },
    }).open();
    opened.push(node);
    targets.push(node.target);
  }
  return targets;
}

const search = (targets: readonly string[]) => findLeader(addressOf(`esdb://${targets.join()}?tls=false`));

test('the node that says itself that it leads is the leader', async () => {
  const targets = await cluster([1], [1], [1]);
  expect(await search(targets)).toEqual({ leader: { target: targets[1] } });
});

test('a node that the others name but that does not answer is not', async () => {
  const targets = await cluster([1], null, [1]);
  expect(await search(targets)).toEqual({
    reason: `no node leads, as without a majority or during an election; ${targets[1]} did not answer within a second`,
  });
});

test('if two say so, the one that most nodes name leads', async () => {
  const targets = await cluster([0], [1], [1]);
  expect(await search(targets)).toEqual({ leader: { target: targets[1] } });
});

test('a leader that the address does not list is found through the nodes that it lists', async () => {
  const targets = await cluster([2], [2], [2]);
  expect(await search(targets.slice(0, 1))).toEqual({ leader: { target: targets[2] } });
});

test('a single node leads at the address it was asked at, whatever address it advertises', async () => {
  const node = await new WireNode({
    onCall: (call) => call.close(),
    onGossip: (call) => answerGossip(call, [{ target: '10.9.8.7:2113', leads: true }]),
  }).open();
  opened.push(node);
  expect(await search([node.target])).toEqual({ leader: { target: node.target } });
});

test('a silent node delays the search for the others by a second at most', async () => {
  const silent = createServer();
  const sockets: Socket[] = [];
  silent.on('connection', (socket) => void sockets.push(socket.on('error', () => undefined)));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as { port: number };
  const targets = [`127.0.0.1:${port}`, ...(await cluster([0]))];
  expect(await search(targets)).toEqual({ leader: { target: targets[1] } });
  for (const socket of sockets) socket.destroy();
  await once(silent.close(), 'close');
});

test('nobody waits for a silent node once a majority agrees on a leader that says so too', async () => {
  const held: ServerHttp2Stream[] = [];
  const targets: string[] = [];
  const answer = (call: ServerHttp2Stream): void => {
    // Not before the silent node was asked.
    if (held.length === 0) setImmediate(answer, call);
    else
      answerGossip(
        call,
        targets.map((target, at) => ({ target, leads: at === 0 })),
      );
  };
  for (const onGossip of [answer, answer, (call: ServerHttp2Stream) => void held.push(call)]) {
    const node = await new WireNode({ onCall: (call) => call.close(), onGossip }).open();
    opened.push(node);
    targets.push(node.target);
  }
  expect(await search(targets)).toEqual({ leader: { target: targets[0] } });
  // It was still being asked: its answer arrives.
  const [late] = held;
  if (late === undefined) throw new Error('the silent node was not asked');
  answerGossip(late, []);
  await once(late, 'close');
  expect(late.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
});

test.each([
  ['its address has a certificate for the name that was looked up', '127.0.0.1', { certificateName: 'cluster.example' }],
  ['a name has a certificate for that name', 'localhost', {}],
])('a leader that others name by %s', async (_, host, expected) => {
  let named = '';
  const open = async (): Promise<WireNode> => {
    const onGossip = (call: ServerHttp2Stream): void =>
      answerGossip(call, [
        { target: named, leads: true },
        { target: '127.0.0.1:1', leads: false },
      ]);
    const node = await new WireNode({ onCall: (call) => call.close(), onGossip }).open();
    opened.push(node);
    return node;
  };
  const [first, leader] = [await open(), await open()];
  named = leader.target.replace('127.0.0.1', host);
  const address = { ...addressOf(first.url), nodes: () => Promise.resolve([{ target: first.target, certificateName: 'cluster.example' }]) };
  expect(await findLeader(address)).toEqual({ leader: { target: named, ...expected } });
});

test('the reason lists each kind once: unreachable nodes, a wrong password, a missing right, nobody who leads', async () => {
  const refusing = async (status: number): Promise<string> => {
    const node = await new WireNode({ onCall: (call) => call.close(), onGossip: (call) => refuse(call, status) }).open();
    opened.push(node);
    return node.target;
  };
  const closed = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const [stranger, visitor] = [await refusing(UNAUTHENTICATED), await refusing(PERMISSION_DENIED)];
  const [follower = ''] = await cluster([]);
  expect(await search([...closed, stranger, visitor, follower])).toEqual({
    reason: [
      'no node leads, as without a majority or during an election',
      `${closed.join(', ')} cannot be reached (connect ECONNREFUSED)`,
      `${stranger} refused the user or the password`,
      `${visitor} denied access to its gossip`,
    ].join('; '),
  });
});

test('with TLS, the authority of tlsCAFile is trusted; the reason tells an untrusted certificate from one for another name', async () => {
  const certificate = await loopbackCertificate();
  const node = await new WireNode({ onCall: (call) => call.close(), tls: certificate }).open();
  opened.push(node);
  const { port } = new URL(node.url);
  const searchAt = (host: string, query: string) => findLeader(addressOf(`esdb://ana:secret@${host}:${port}${query}`));
  const trusting = `?tlsCAFile=${encodeURIComponent(certificate.file)}`;
  expect(await searchAt('127.0.0.1', trusting)).toEqual({ leader: { target: node.target } });
  expect(await searchAt('127.0.0.1', '')).toEqual({
    reason: `${node.target} has a certificate that this program does not trust (self-signed certificate; tlsCAFile names the authority to trust)`,
  });
  expect(await searchAt('localhost', trusting)).toEqual({
    reason: expect.stringContaining(`localhost:${port} has a certificate for another name (`) as unknown,
  });
  await certificate.remove();
});
