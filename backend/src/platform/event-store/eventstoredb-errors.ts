import { StoreAway } from '../store-errors.js';

/**
 * What an error of the client says about a call:
 * - `conflict`: the stream is elsewhere, nothing was written; `missing`: there is no such stream; `tombstoned`: there is none and never will be again
 * - `too-large`, `denied`: refused, and would be again; `wrong-call`: the mistake is this program's
 * - `unknown`: it may have been carried out or not, or may still be
 */
export type Meaning = 'conflict' | 'missing' | 'tombstoned' | 'too-large' | 'denied' | 'wrong-call' | 'unknown';

const TYPES: ReadonlyMap<unknown, Meaning> = new Map([
  ['wrong-expected-version', 'conflict'],
  ['stream-not-found', 'missing'],
  ['no-stream', 'missing'],
  ['stream-deleted', 'tombstoned'],
  ['maximum-append-size-exceeded', 'too-large'],
  ['access-denied', 'denied'],
  ['invalid-argument', 'wrong-call'],
  ['missing-required-metadata-property', 'wrong-call'],
  ['unsupported', 'wrong-call'],
  ['not-leader', 'unknown'],
]);

/** gRPC's: INVALID_ARGUMENT, UNIMPLEMENTED; PERMISSION_DENIED, UNAUTHENTICATED. */
const CODES: ReadonlyMap<unknown, Meaning> = new Map([
  [3, 'wrong-call'],
  [12, 'wrong-call'],
  [7, 'denied'],
  [16, 'denied'],
]);

/** CANCELLED (by the server) and UNAVAILABLE, as types and as codes. */
const LOST: ReadonlySet<unknown> = new Set(['unavailable', 'cancelled', 1, 14]);

const fieldOf = (error: unknown, name: string): unknown => (error instanceof Error ? Object.getOwnPropertyDescriptor(error, name)?.value : undefined);

/** Matched by `type` and `code`, never by class or words. */
export function meaningOf(error: unknown): Meaning {
  const meaning = TYPES.get(fieldOf(error, 'type')) ?? CODES.get(fieldOf(error, 'code'));
  if (meaning !== undefined) return meaning;
  return error instanceof TypeError || error instanceof RangeError ? 'wrong-call' : 'unknown';
}

/** The last revision of the stream that an error of meaning `conflict` names, -1 when it has no event. */
export function actualOf(error: unknown): number {
  const actual = fieldOf(error, 'actualVersion');
  return typeof actual === 'bigint' ? Number(actual) : -1;
}

/** True when the connection, or the server's readiness, went away under a call; errors of a server that is away come with a type or with a code alone. */
export const isLost = (error: unknown): boolean => LOST.has(fieldOf(error, 'type')) || LOST.has(fieldOf(error, 'code'));

/** True when another node of the cluster leads by now. The client knows which and goes there by itself; a new one would ask the nodes of the address, which may be away. */
export const isLedElsewhere = (error: unknown): boolean => fieldOf(error, 'type') === 'not-leader';

/** True when the server answered that it cannot do this (UNKNOWN): for a read, that no event begins at that position, most likely. */
export const isInvalidPosition = (error: unknown): boolean => fieldOf(error, 'code') === 2;

/** True of the end of a live subscription whose client, or whose buffer on the server, did not keep up (ABORTED). */
export const isTooSlow = (error: unknown): boolean => fieldOf(error, 'code') === 10;

/** The port's error for what an error says; {@link Tombstoned} and mistakes of this program are no StoreAway, since trying again does not help. */
export function portErrorOf(error: unknown, stream: string): Error {
  if (error instanceof StoreAway || error instanceof Tombstoned) return error;
  const message = error instanceof Error ? error.message : String(error);
  switch (meaningOf(error)) {
    case 'tombstoned':
      return new Tombstoned(`${stream} was deleted in EventStoreDB for good (a tombstone): nothing of it can be read or written`);
    case 'denied':
      return new StoreAway(`EventStoreDB refuses this user: ${message}`, { cause: error });
    case 'wrong-call':
      return error instanceof Error ? error : new Error(message);
    default:
      return new StoreAway(`EventStoreDB is away: ${message}`, { cause: error });
  }
}

/** Somebody ended a stream by hand in EventStoreDB's own tools, which this program never does. */
export class Tombstoned extends Error {
  override readonly name = 'Tombstoned';
}
