/** The client's connection string, ending in a query parameter so that others can be appended, and the credentials. */
export interface EventStoreDbAddress {
  readonly connectionString: string;
  readonly credentials: { readonly username: string; readonly password: string };
}

const FORM = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(?:([^:@/?]+):([^@/?]*)@)?([^@?]*[^@?/])\/*(\?.*)?$/;
/** Unencrypted servers do not authenticate, and the client then sends no credentials. */
const ANONYMOUS = { username: 'roughmix', password: '' };
/** A connection that does not answer a ping within this time counts as dead. */
const KEEP_ALIVE = 'keepAliveTimeout=3000';
/** Seconds that a silent node costs while the client looks for the leader. The client's default of 5 would use up the deadline of a call. */
const GOSSIP = 'gossipTimeout=1';

/**
 * Reads EVENTSTORE_URL.
 * @throws Error, without the address, when it is malformed, or uses TLS without a user: reading $all needs permission
 */
export function addressOf(url: string): EventStoreDbAddress {
  const [, discover = '', username, password = '', hosts = '', query = ''] = FORM.exec(url.trim()) ?? [];
  if (hosts === '') throw new Error('EVENTSTORE_URL must look like esdb://USER:PASSWORD@HOST:2113?tls=true');
  const isOpen = /[?&]tls=false(?:&|$)/i.test(query);
  if (!isOpen && username === undefined) throw new Error('EVENTSTORE_URL needs a user and a password with TLS, as in esdb://USER:PASSWORD@HOST:2113?tls=true');
  const user = username === undefined ? '' : `${username}:${password}@`;
  // Of several nodes after +discover, which means one DNS name, the client would only ask the first.
  const scheme = hosts.includes(',') ? 'esdb' : `esdb${discover}`;
  return {
    connectionString: `${scheme}://${user}${hosts}${query === '' ? '?' : `${query}&`}${KEEP_ALIVE}&${GOSSIP}`,
    credentials: username === undefined ? ANONYMOUS : { username: decodeURIComponent(username), password: decodeURIComponent(password) },
  };
}
