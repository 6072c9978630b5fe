import { randomUUID } from 'node:crypto';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { EventStoreDbCalls } from './eventstoredb-calls.js';
import { IDENTITY_STREAM, identityEvent, type LogIdentity, readOrCreateIdentity } from './eventstoredb-identity.js';
import type { EventStoreDbReads } from './eventstoredb-reads.js';
import { settle } from './eventstoredb-settling.js';

/** What is needed to confirm the end of a log, and the identity it had when it was opened. */
export interface ConfirmedHeadDeps {
  readonly calls: EventStoreDbCalls;
  readonly reads: EventStoreDbReads;
  readonly identity: LogIdentity;
}

/**
 * Reads the end of the log after writing the log's identity again, in a new event: a repeat of the old event would be answered without a majority.
 * @throws the errors of calls, ServiceUnavailable
 */
export async function confirmedHead({ calls, reads, identity: { identity } }: ConfirmedHeadDeps, due: number): Promise<Position> {
  for (;;) {
    const newest = await readOrCreateIdentity(calls, due);
    if (newest.identity !== identity) throw new ServiceUnavailable('the log has a new identity: restart this process');
    const outcome = await settle(calls, reads, { stream: IDENTITY_STREAM, expected: newest.revision, due }, [identityEvent({ id: randomUUID(), identity })]);
    // After a conflict another process has written it: read that and try again.
    if ('position' in outcome) return reads.head(due, outcome.position);
  }
}
