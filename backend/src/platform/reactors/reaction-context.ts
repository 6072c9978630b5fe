import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { SYSTEM } from '../../kernel/decider.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Reactor } from '../../kernel/reactor.js';
import type { CommandContext } from '../streams/streams.js';

/**
 * The context of a command that a reactor sends about an event: the actor is the system, the command id is derived from the event (a repeated
 * reaction takes effect once), and correlation and trace continue those of the original request.
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
