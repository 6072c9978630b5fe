import type { StoredEvent } from '../../kernel/event.js';
import { isSealed } from './sealed.js';

function withoutSealed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.filter((member) => !isSealed(member)).map(withoutSealed);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !isSealed(member))
      .map(([name, member]) => [name, withoutSealed(member)]),
  );
}

/** A stored event without its sealed fields, for exports and analysis. */
export const plainEvent = (event: StoredEvent): StoredEvent => ({ ...event, data: withoutSealed(event.data) });
