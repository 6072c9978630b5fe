import type { StoredEvent } from '../../kernel/event.js';
import { isSealed } from './sealed.js';

function plainIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.filter((member) => !isSealed(member)).map(plainIn);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !isSealed(member))
      .map(([name, member]) => [name, plainIn(member)]),
  );
}

/** A stored event without its sealed fields: what analysts may see of it. */
export const plainEvent = (event: StoredEvent): StoredEvent => ({ ...event, data: plainIn(event.data) });
