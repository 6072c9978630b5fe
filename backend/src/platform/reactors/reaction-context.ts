import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { SYSTEM } from '../../kernel/decider.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Reactor } from '../../kernel/reactor.js';
import type { CommandContext } from '../streams/streams.js';

/**
 * The context of a command by which a reactor says what it found out about an event: the system asks, the same event again is the same command, and
 * correlation and trace go on from the request that began it.
 */
export function reactionContext(reactor: Pick<Reactor, 'name'>, event: StoredEvent, at: Instant): CommandContext {
  const { correlationId, traceparent } = event.meta;
  return {
    actor: SYSTEM,
    at,
    commandId: `${reactor.name}-${event.id}`,
    correlationId,
    causationId: event.id,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
