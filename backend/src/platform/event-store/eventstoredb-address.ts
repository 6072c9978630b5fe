/** What the client is opened with, ending in a setting so that another may follow, and who calls. */
export interface EventStoreDbAddress {
  readonly connectionString: string;
  readonly credentials: { readonly username: string; readonly password: string };
}

const FORM = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(?:([^:@/?]+):([^@/?]*)@)?([^@?]+?)\/*(\?.*)?$/;
/** Without encryption the server asks nobody who they are and the client sends no name. */
const NOBODY = { username: 'roughmix', password: '' };
/** A pinged connection that stays silent for so long is taken for dead. */
const KEEP_ALIVE = 'keepAliveTimeout=3000';

/**
 * Reads EVENTSTORE_URL.
 * @throws Error, without the address in it, when it has another form, or asks for encryption and names no user: $all is not for everybody
 */
export function addressOf(url: string): EventStoreDbAddress {
  const [, discover = '', username, password = '', hosts = '', query = ''] = FORM.exec(url.trim()) ?? [];
  if (hosts === '') throw new Error('EVENTSTORE_URL: an address looks like esdb://USER:PASSWORD@HOST:2113?tls=true');
  const isOpen = /[?&]tls=false(?:&|$)/i.test(query);
  if (!isOpen && username === undefined)
    throw new Error('EVENTSTORE_URL: with tls a user and a password are needed, as esdb://USER:PASSWORD@HOST:2113?tls=true');
  const user = username === undefined ? '' : `${username}:${password}@`;
  return {
    connectionString: `esdb${discover}://${user}${hosts}${query === '' ? '?' : `${query}&`}${KEEP_ALIVE}`,
    credentials: username === undefined ? NOBODY : { username: decodeURIComponent(username), password: decodeURIComponent(password) },
  };
}
