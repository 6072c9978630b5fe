import { readFileSync } from 'node:fs';
import type { EventMeta, StoredEvent } from '../kernel/event.js';

interface Sample {
  readonly stream: string;
  readonly meta: EventMeta;
  readonly data: unknown;
}

/**
 * One sample of every event shape ever stored, in a possible order. Samples never change: a new shape gets a new name and its own sample.
 */
export function storedSamples(): readonly StoredEvent[] {
  const samples = JSON.parse(readFileSync(new URL('history.json', import.meta.url), 'utf8')) as Readonly<Record<string, Sample>>;
  const revisions = new Map<string, number>();
  return Object.entries(samples).map(([type, { stream, meta, data }], at) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    return { id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`, type, stream, revision, position: at + 1, meta, data };
  });
}
