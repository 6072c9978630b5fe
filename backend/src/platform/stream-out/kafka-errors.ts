import { types } from 'node:util';
import { StoreAway } from '../store-errors.js';
import { EventsTooLarge } from './event-stream-publisher.js';

const TOO_LARGE: readonly unknown[] = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'];
const DEPTH = 5;

/** An error and what it says it came from. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let each = error; types.isNativeError(each) && chain.length < DEPTH; each = each.cause) chain.push(each);
  return chain;
}

const typeOf = (error: Error): unknown => ('type' in error ? error.type : undefined);

/** What an error of the client means. Its message names brokers and topics, never what was sent. */
export function toPortError(error: unknown): EventsTooLarge | StoreAway {
  const chain = chainOf(error);
  if (chain.some((each) => TOO_LARGE.includes(typeOf(each)))) return new EventsTooLarge('Kafka refuses events of this size', { cause: error });
  const last = chain.at(-1);
  return new StoreAway(`Kafka did not take the events (${last === undefined ? String(error) : last.message})`, { cause: error });
}
