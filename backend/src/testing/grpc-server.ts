import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** The flag and length before each gRPC message. */
const PREFIX_BYTES = 5;
/** As many calls at a time as a connection to EventStoreDB carries. */
const CALLS_AT_ONCE = 100;

/** The message of a request that arrived in one chunk. */
export const messageOf = (chunk: Buffer): Buffer => chunk.subarray(PREFIX_BYTES);

/** A message with its prefix. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** A gRPC server without TLS on a free port, for specs that look at the wire. */
export class GrpcServer {
  readonly #server = createServer({ settings: { maxConcurrentStreams: CALLS_AT_ONCE } });
  readonly #sessions = new Set<ServerHttp2Session>();

  /** @param onCall handles each call, whose request may still be incomplete */
  constructor(private readonly onCall: (call: ServerHttp2Stream, headers: IncomingHttpHeaders) => void) {}

  /** @returns its address for the EventStoreDB client */
  async open(): Promise<string> {
    this.#server.on('session', (session) => void this.#sessions.add(session));
    this.#server.on('stream', (call, headers) => {
      call.on('error', () => undefined);
      this.onCall(call, headers);
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
