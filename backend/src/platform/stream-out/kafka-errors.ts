import { types } from 'node:util';
import { ServiceUnavailable } from '../store-errors.js';
import { EventsTooLarge } from './event-stream-publisher.js';

const TOO_LARGE: readonly unknown[] = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'];
const DEPTH = 5;

/** An error and its chain of causes. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let each = error; types.isNativeError(each) && chain.length < DEPTH; each = each.cause) chain.push(each);
  return chain;
}

const typeOf = (error: Error): unknown => ('type' in error ? error.type : undefined);

/** Maps a client error to the port's. Its message names brokers and topics, never event contents. */
export function toPortError(error: unknown): EventsTooLarge | ServiceUnavailable {
  const chain = chainOf(error);
  if (chain.some((each) => TOO_LARGE.includes(typeOf(each)))) return new EventsTooLarge('Kafka refused the events because of their size', { cause: error });
  const last = chain.at(-1);
  return new ServiceUnavailable(`Kafka did not accept the events (${last === undefined ? String(error) : last.message})`, { cause: error });
}
