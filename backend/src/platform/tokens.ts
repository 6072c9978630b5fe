/** Injection tokens of ports and other values; classes are their own tokens. */
export const EVENT_STORE = Symbol('EventStore');
export const DOCUMENTS = Symbol('DocumentStore');
export const VAULT = Symbol('Vault');
export const BLOBS = Symbol('BlobStore');
export const MAILER = Symbol('Mailer');
export const CONFIG = Symbol('Config');
export const CLOCK = Symbol('Clock');
export const LOG = Symbol('Log');
export const START_CHILD = Symbol('StartChild');
/** The admin and master keys, from `openSecrets`. */
export const SECRETS = Symbol('Secrets');
