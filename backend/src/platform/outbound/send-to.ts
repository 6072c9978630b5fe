import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { OutboundFailed } from './outbound-errors.js';
import type { Target } from './outbound-target.js';

/** A resolved address. */
export interface Address {
  readonly address: string;
  readonly family: number;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Answers with addresses that are resolved already, so that the connection goes to what was checked. */
const pinnedTo =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses;
    if (first === undefined) done(new Error('no address'), '', 0);
    else if (all === true) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };

async function bodyOf(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundFailed(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * One request over a connection of its own, without redirects or decompression.
 * @param addresses the only addresses to connect to; ignored where the URL names an IP address
 * @throws OutboundFailed on errors of the network and over `maxBytes`; the signal's reason when it aborts
 */
export async function sendTo(
  { url }: Target,
  addresses: readonly Address[],
  { method, headers = {}, body }: OutboundRequest,
  { signal, maxBytes }: { readonly signal: AbortSignal; readonly maxBytes: number },
): Promise<OutboundAnswer> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, agent: false as const, lookup: pinnedTo(addresses), signal, headers: { ...headers, 'accept-encoding': 'identity' } };
      send(url, options, resolve).on('error', reject).end(body);
    });
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await bodyOf(answer, maxBytes) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundFailed) throw error;
    throw new OutboundFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
