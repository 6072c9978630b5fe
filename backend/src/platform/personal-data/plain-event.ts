import type { StoredEvent } from '../../kernel/event.js';

const isSealed = (value: object): boolean => '$sealed' in value;

function plainIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.filter((member) => !isLeftOut(member)).map(plainIn);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !isLeftOut(member))
      .map(([name, member]) => [name, plainIn(member)]),
  );
}

const isLeftOut = (value: unknown): boolean => typeof value === 'object' && value !== null && isSealed(value);

/** A stored event without its sealed fields: what analysts may see of it. */
export const plainEvent = (event: StoredEvent): StoredEvent => ({ ...event, data: plainIn(event.data) });
