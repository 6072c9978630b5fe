import { isIP } from 'node:net';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { within } from '../health/deadline.js';
import { type EventStoreDbAddress, type EventStoreDbNode, targetOf } from './eventstoredb-address.js';
import { channelOptions } from './eventstoredb-channel.js';
import { reasonOf, type Unreached } from './eventstoredb-unreached.js';

/** A node's answer: which nodes it says lead, and whether it is one of them. */
interface Opinion {
  readonly node: EventStoreDbNode;
  readonly leaders: readonly string[];
  readonly leadsItself: boolean;
}

/** The leader, or why there is none. */
export type SearchResult = { readonly leader: EventStoreDbNode } | { readonly reason: string };

const ANSWER_MS = 1_000;

/**
 * Asks every node at once who leads. A node leads if it says so itself: the others go on naming one that has frozen. If several say so, as a leader that was cut off and its
 * successor may for a moment, the one that most nodes name leads.
 */
export async function findLeader(address: EventStoreDbAddress): Promise<SearchResult> {
  const nodes = await address.nodes().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (nodes instanceof Error) return { reason: `the name in EVENTSTORE_URL cannot be resolved (${nodes.message})` };
  const known = await askAll(nodes, address);
  const asked = new Set(nodes.map(({ target }) => target));
  // The address may list only some of the nodes, or names that the nodes do not use.
  const named = [...new Set(known.opinions.flatMap(({ leaders }) => leaders))].filter((target) => !asked.has(target));
  const more = known.opinions.some(({ leadsItself }) => leadsItself) ? NOBODY : await askAll(named.map(nodeAt(nodes)), address);
  const opinions = [...known.opinions, ...more.opinions];
  const votes = ({ node }: Opinion): number => votesFor(opinions, node.target);
  const [leader] = opinions.filter(({ leadsItself }) => leadsItself).toSorted((a, b) => votes(b) - votes(a));
  return leader === undefined ? { reason: reasonOf([...known.unreached, ...more.unreached], opinions.length) } : { leader: leader.node };
}

interface Asked {
  readonly opinions: readonly Opinion[];
  readonly unreached: readonly Unreached[];
}

const NOBODY: Asked = { opinions: [], unreached: [] };

/** A node that others name. If the nodes were found by DNS, one that goes by its IP address has a certificate for the name that was looked up. */
const nodeAt =
  ([first]: readonly EventStoreDbNode[]) =>
  (target: string): EventStoreDbNode =>
    first?.certificateName === undefined || isIP(new URL(`esdb://${target}`).hostname.replaceAll(/[[\]]/g, '')) === 0
      ? { target }
      : { target, certificateName: first.certificateName };

/** Resolves when all have answered or timed out, or as soon as a majority of them agrees on a leader that says so too. */
async function askAll(nodes: readonly EventStoreDbNode[], address: EventStoreDbAddress): Promise<Asked> {
  const opinions: Opinion[] = [];
  const unreached: Unreached[] = [];
  await new Promise<void>((resolve) => {
    const ask = async (node: EventStoreDbNode): Promise<void> => {
      try {
        opinions.push(opinionOf(node, await gossipOf(node, address)));
        if (isAgreed(opinions, nodes.length)) resolve();
      } catch (error) {
        unreached.push({ target: node.target, error });
      }
    };
    void Promise.all(nodes.map(ask)).then(() => resolve());
  });
  return { opinions, unreached };
}

const votesFor = (opinions: readonly Opinion[], target: string): number => opinions.filter(({ leaders }) => leaders.includes(target)).length;

/** Nobody has to wait for a frozen node then. */
const isAgreed = (opinions: readonly Opinion[], nodes: number): boolean =>
  opinions.some(({ node, leadsItself }) => leadsItself && votesFor(opinions, node.target) > nodes / 2);

function opinionOf(node: EventStoreDbNode, info: gossip.ClusterInfo): Opinion {
  const members = info.getMembersList();
  const leading = members.filter((member) => member.getIsAlive() && member.getState() === gossip.MemberInfo.VNodeState.LEADER);
  const leaders = leading.map((member) =>
    targetOf({ host: member.getHttpEndPoint()?.getAddress() ?? '', port: String(member.getHttpEndPoint()?.getPort() ?? 0) }),
  );
  // A single node may advertise an address that is only valid where it runs.
  const isAlone = members.length === 1 && leaders.length === 1;
  return { node, leaders: isAlone ? [node.target] : leaders, leadsItself: isAlone || leaders.includes(node.target) };
}

/** A node's view of the cluster. @throws gRPC's errors, DeadlineExceeded */
async function gossipOf(node: EventStoreDbNode, { channelCredentials, metadata }: EventStoreDbAddress): Promise<gossip.ClusterInfo> {
  const client = new GossipClient(node.target, channelCredentials, channelOptions(node));
  const headers = metadata.clone();
  headers.remove('requires-leader');
  const abandon = new AbortController();
  const answer = new Promise<gossip.ClusterInfo>((resolve, reject) => {
    const call = client.read(new shared.Empty(), headers, (error, info) => {
      if (error) reject(error);
      else resolve(info);
    });
    abandon.signal.addEventListener('abort', () => call.cancel());
  });
  try {
    return await within(ANSWER_MS, answer);
  } finally {
    abandon.abort();
    client.close();
  }
}
