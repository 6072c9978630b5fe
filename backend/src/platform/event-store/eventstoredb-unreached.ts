import { status } from '@grpc/grpc-js';
import { DeadlineExceeded } from '../health/deadline.js';
import { fieldOf } from './eventstoredb-errors.js';

/** A node that gave no answer to a search for the leader. */
export interface Unreached {
  /** `host:port` */
  readonly target: string;
  readonly error: unknown;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Errors of OpenSSL and Node about a certificate, as gRPC quotes them. */
const WRONG_NAME = /does not match certificate|ERR_TLS_CERT_ALTNAME_INVALID/i;
const NOT_TRUSTED = /self[- ]signed certificate|unable to (?:verify|get)|certificate (?:has expired|is not yet valid)|CERT_/i;
/** What gRPC adds to the reason of a failed connection. */
const LAST_ERROR = /Last error: (?:Error: )?(.*?)(?:; if the root CA is installed|\. Resolution note|$)/;

function kindOf(error: unknown): string {
  const message = messageOf(error);
  const detail = LAST_ERROR.exec(message)?.[1] ?? message.replace(/^\d+ [A-Z_]+: /, '');
  if (WRONG_NAME.test(message)) return `has a certificate for another name (${detail})`;
  if (NOT_TRUSTED.test(message)) return `has a certificate that this program does not trust (${detail}; tlsCAFile names the authority to trust)`;
  if (error instanceof DeadlineExceeded) return 'did not answer within a second';
  switch (fieldOf(error, 'code')) {
    case status.UNAUTHENTICATED:
      return 'refused the user or the password';
    case status.PERMISSION_DENIED:
      return 'denied access to its gossip';
    default:
      return `cannot be reached (${detail})`;
  }
}

/** Why a search found no leader, each kind of reason once, with its nodes. `answered` nodes said that no node leads, or none that answers. */
export function reasonOf(unreached: readonly Unreached[], answered = 0): string {
  const kinds = new Map<string, string[]>();
  for (const { target, error } of unreached) {
    const kind = kindOf(error).replaceAll(` ${target}`, '');
    kinds.set(kind, [...(kinds.get(kind) ?? []), target]);
  }
  const reasons = [...kinds].map(([kind, targets]) => `${targets.join(', ')} ${kind}`);
  if (answered > 0) reasons.unshift('no node leads, as without a majority or during an election');
  return reasons.join('; ');
}
