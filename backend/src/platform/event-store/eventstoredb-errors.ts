import { Metadata } from '@grpc/grpc-js';
import { ServiceUnavailable } from '../store-errors.js';

/**
 * What a gRPC error, or a refused append, says about the outcome of a call:
 * - `conflict`: the stream is at another revision, nothing was written; `missing`: no such stream; `tombstoned`: deleted permanently
 * - `too-large`, `denied`: refused, and retrying will not help; `wrong-call`: a bug in this program
 * - `unknown`: the call may have taken effect, or may still
 */
export type Outcome = 'conflict' | 'missing' | 'tombstoned' | 'too-large' | 'denied' | 'wrong-call' | 'unknown';

const TYPES: ReadonlyMap<unknown, Outcome> = new Map([
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

/** gRPC status codes: INVALID_ARGUMENT, UNIMPLEMENTED; PERMISSION_DENIED, UNAUTHENTICATED. */
const CODES: ReadonlyMap<unknown, Outcome> = new Map([
  [3, 'wrong-call'],
  [12, 'wrong-call'],
  [7, 'denied'],
  [16, 'denied'],
]);

/** gRPC status codes CANCELLED (by the server) and UNAVAILABLE, and a refusal by a node that knows no leader. */
const LOST: ReadonlySet<unknown> = new Set([1, 14, 'not-ready']);

/** An error's own field. */
export const fieldOf = (error: unknown, name: string): unknown => (error instanceof Error ? Object.getOwnPropertyDescriptor(error, name)?.value : undefined);

/** The type of a refused append, or of the exception that EventStoreDB names in a call's trailers. */
function typeOf(error: unknown): unknown {
  const trailers = fieldOf(error, 'metadata');
  return fieldOf(error, 'type') ?? (trailers instanceof Metadata ? trailers.get('exception')[0] : undefined);
}

/** Goes by type and code, never by class or message. */
export function outcomeOf(error: unknown): Outcome {
  const outcome = TYPES.get(typeOf(error)) ?? CODES.get(fieldOf(error, 'code'));
  if (outcome !== undefined) return outcome;
  return error instanceof TypeError || error instanceof RangeError ? 'wrong-call' : 'unknown';
}

/** The stream's last revision from a `conflict` error, -1 if it has no events. */
export function actualOf(error: unknown): number {
  const actual = fieldOf(error, 'actualVersion');
  return typeof actual === 'bigint' ? Number(actual) : -1;
}

/** True when the connection or the server was lost during a call, or knows no leader. */
export const isConnectionLost = (error: unknown): boolean => LOST.has(typeOf(error)) || LOST.has(fieldOf(error, 'code'));

/** True when another node is now the leader. */
export const isNotLeader = (error: unknown): boolean => typeOf(error) === 'not-leader';

/** True for gRPC status UNKNOWN, which a read usually gets when no event starts at the position. */
export const isInvalidPosition = (error: unknown): boolean => fieldOf(error, 'code') === 2;

/** True when a live subscription ended because its client or server-side buffer did not keep up (ABORTED). */
export const isTooSlow = (error: unknown): boolean => fieldOf(error, 'code') === 10;

/** Maps an error of a call to the port's. {@link Tombstoned} and our own bugs are not ServiceUnavailable, because retrying does not help. */
export function portErrorOf(error: unknown, stream: string): Error {
  if (error instanceof ServiceUnavailable || error instanceof Tombstoned) return error;
  const message = error instanceof Error ? error.message : String(error);
  switch (outcomeOf(error)) {
    case 'tombstoned':
      return new Tombstoned(`${stream} was tombstoned in EventStoreDB: it can no longer be read or written`);
    case 'denied':
      return new ServiceUnavailable(`EventStoreDB denied access: ${message}`, { cause: error });
    case 'wrong-call':
      return error instanceof Error ? error : new Error(message);
    default:
      return new ServiceUnavailable(`EventStoreDB is unavailable: ${message}`, { cause: error });
  }
}

/** A stream was tombstoned with EventStoreDB's own tools, which this program never does. */
export class Tombstoned extends Error {
  override readonly name = 'Tombstoned';
}
