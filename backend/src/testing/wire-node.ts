import { once } from 'node:events';
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';

/** The flag and length before each gRPC message. */
const PREFIX_BYTES = 5;
/** As many calls at a time as a connection to EventStoreDB carries. */
const CALLS_AT_ONCE = 100;
const GOSSIP = '/event_store.client.gossip.Gossip/Read';

/** The message of a request that arrived in one chunk. */
export const messageOf = (chunk: Buffer): Buffer => chunk.subarray(PREFIX_BYTES);

/** A message with its prefix. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Begins a response that will end with this gRPC status. */
export function respond(call: ServerHttp2Stream, grpcStatus = 0): void {
  call.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  call.on('wantTrailers', () => call.sendTrailers({ 'grpc-status': String(grpcStatus) }));
}

/** Refuses a call with a gRPC status. */
export const refuse = (call: ServerHttp2Stream, grpcStatus: number): void =>
  call.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(grpcStatus) }, { endStream: true });

interface WireNodeOptions {
  /** Handles each call but gossip, whose request may still be incomplete. */
  readonly onCall: (call: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
  /** Answers a request for gossip; by default this node leads, alone. */
  readonly onGossip?: (call: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
  /** Serves with TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A node of EventStoreDB on a free port that does what a spec says, on the level of HTTP/2. */
export class WireNode {
  readonly #server: Http2Server | Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(private readonly options: WireNodeOptions) {
    const settings = { settings: { maxConcurrentStreams: CALLS_AT_ONCE } };
    this.#server = options.tls ? createSecureServer({ ...settings, ...options.tls }) : createServer(settings);
  }

  /** `host:port` */
  get target(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Its address, as EVENTSTORE_URL has it. */
  get url(): string {
    return `esdb://${this.target}?tls=false`;
  }

  async open(): Promise<this> {
    this.#server.on('session', (session: ServerHttp2Session) => void this.#sessions.add(session.on('error', () => undefined)));
    this.#server.on('stream', (call: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      call.on('error', () => undefined);
      if (headers[':path'] !== GOSSIP) this.options.onCall(call, headers);
      else if (this.options.onGossip) this.options.onGossip(call, headers);
      else answerGossip(call, [{ target: this.target, leads: true }]);
    });
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  /** Cuts every connection. */
  cut(): void {
    for (const session of this.#sessions) session.destroy();
    this.#sessions.clear();
  }

  async close(): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}

/** Answers a request for gossip with these living members. */
export function answerGossip(call: ServerHttp2Stream, members: readonly { readonly target: string; readonly leads: boolean }[]): void {
  const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
  const list = members.map(({ target, leads }) => {
    const [address = '', port = ''] = target.split(':');
    const endPoint = new gossip.EndPoint().setAddress(address).setPort(Number(port));
    return new gossip.MemberInfo()
      .setState(leads ? LEADER : FOLLOWER)
      .setIsAlive(true)
      .setHttpEndPoint(endPoint);
  });
  respond(call);
  call.end(framed(new gossip.ClusterInfo().setMembersList(list).serializeBinary()));
}
