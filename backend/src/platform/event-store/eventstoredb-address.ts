import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { type ChannelCredentials, credentials, Metadata } from '@grpc/grpc-js';

/** A node of EventStoreDB to connect to. */
export interface EventStoreDbNode {
  /** `host:port` */
  readonly target: string;
  /** The name that its certificate must have, if it is not the host. */
  readonly certificateName?: string;
}

/** What EVENTSTORE_URL says. */
export interface EventStoreDbAddress {
  /** The nodes as listed or, after `+discover`, one for each address that the name has now. @throws the errors of `dns.lookup` */
  readonly nodes: () => Promise<readonly EventStoreDbNode[]>;
  readonly channelCredentials: ChannelCredentials;
  /** The headers of every call: the user, and that only the leader may answer. */
  readonly metadata: Metadata;
}

const FORM = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(?:([^:@/?]+):([^@/?]*)@)?([^@?]*[^@?/])\/*(\?.*)?$/;
const HOST = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/;
const DEFAULT_PORT = '2113';

/**
 * Reads EVENTSTORE_URL.
 * @throws Error, without the address, when it is malformed, uses TLS without a user (reading $all needs permission), or names a file that cannot be read
 */
export function addressOf(url: string): EventStoreDbAddress {
  const [, discover, username, password = '', hosts = '', query = ''] = FORM.exec(url.trim()) ?? [];
  const nodes = hosts.split(',').map(hostOf);
  if (!nodes.every((node) => node !== null)) throw new Error('EVENTSTORE_URL must look like esdb://USER:PASSWORD@HOST:2113?tls=true');
  const settings = settingsIn(query);
  const isOpen = settings.get('tls') === 'false';
  if (!isOpen && username === undefined) throw new Error('EVENTSTORE_URL needs a user and a password with TLS, as in esdb://USER:PASSWORD@HOST:2113?tls=true');
  const [first] = nodes;
  // Several hosts are nodes even after +discover, which otherwise means one DNS name.
  const isName = discover !== undefined && nodes.length === 1 && first !== undefined;
  return {
    nodes: isName ? () => resolved(first) : () => Promise.resolve(nodes.map((node) => ({ target: targetOf(node) }))),
    channelCredentials: isOpen ? credentials.createInsecure() : tlsCredentials(settings),
    // An unencrypted server does not authenticate, so it is not sent a password either.
    metadata: metadataOf(isOpen || username === undefined ? null : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`),
  };
}

interface Host {
  readonly host: string;
  readonly port: string;
}

function hostOf(text: string): Host | null {
  const [, v6, name, port = DEFAULT_PORT] = HOST.exec(text.trim()) ?? [];
  const host = v6 ?? name;
  return host === undefined || Number(port) > 65_535 ? null : { host, port };
}

/** An address as gRPC wants it. */
export const targetOf = ({ host, port }: Host): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

async function resolved({ host, port }: Host): Promise<readonly EventStoreDbNode[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => ({ target: targetOf({ host: address, port }), certificateName: host }));
}

/** Settings by their name in lower case without `_` and `-`, as the official clients read them. */
function settingsIn(query: string): ReadonlyMap<string, string> {
  const named = [...new URLSearchParams(query.replaceAll('+', '%2B'))];
  return new Map(named.map(([name, value]) => [name.toLowerCase().replaceAll(/[-_]/g, ''), /^(?:true|false)$/i.test(value) ? value.toLowerCase() : value]));
}

function tlsCredentials(settings: ReadonlyMap<string, string>): ChannelCredentials {
  const read = (name: string): Buffer | null => {
    const file = settings.get(name.toLowerCase());
    if (file === undefined) return null;
    try {
      return readFileSync(resolve(file));
    } catch (error) {
      throw new Error(`EVENTSTORE_URL: the file of ${name} cannot be read`, { cause: error });
    }
  };
  const [key, certificate] = [read('userKeyFile'), read('userCertFile')];
  if ((key === null) !== (certificate === null)) throw new Error('EVENTSTORE_URL: userCertFile and userKeyFile need each other');
  return credentials.createSsl(read('tlsCAFile'), key, certificate);
}

function metadataOf(user: string | null): Metadata {
  const metadata = new Metadata();
  metadata.set('connection-name', 'roughmix');
  // A follower would forward appends and answer reads that lag. With this it refuses and names the leader.
  metadata.set('requires-leader', 'true');
  if (user !== null) metadata.set('authorization', `Basic ${Buffer.from(user).toString('base64')}`);
  return metadata;
}
