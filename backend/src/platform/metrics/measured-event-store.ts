import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { AppendTooLarge, type Appended, type EventStore, type ExpectedRevision, WrongExpectedRevision } from '../event-store/event-store.js';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';
import type { Metrics } from './metrics.js';

function reasonOf(error: unknown): string {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  if (error instanceof AppendTooLarge) return 'too-large';
  if (error instanceof DiskFull) return 'full';
  return error instanceof ServiceUnavailable ? 'away' : 'other';
}

/** Measures the appends to an event store. */
export class MeasuredEventStore implements EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly metrics: Metrics,
  ) {}

  get identity(): string {
    return this.store.identity;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    const end = this.metrics.appendSeconds.startTimer();
    try {
      const appended = await this.store.append(stream, expected, events);
      end();
      this.metrics.appendedEvents.inc(events.length);
      return appended;
    } catch (error) {
      this.metrics.appendFailures.inc({ reason: reasonOf(error) });
      throw error;
    }
  }

  readStream(stream: string, options?: { readonly from?: number; readonly limit?: number }): Promise<readonly StoredEvent[]> {
    return this.store.readStream(stream, options);
  }

  readAll(options: { readonly after: Position; readonly limit?: number }): Promise<readonly StoredEvent[]> {
    return this.store.readAll(options);
  }

  readNewest(limit: number): Promise<readonly StoredEvent[]> {
    return this.store.readNewest(limit);
  }

  head(): Promise<Position> {
    return this.store.head();
  }

  confirmedHead(): Promise<Position> {
    return this.store.confirmedHead();
  }

  subscribe(options: { readonly after: Position; readonly signal: AbortSignal; readonly limit?: number }): AsyncIterable<readonly StoredEvent[]> {
    return this.store.subscribe(options);
  }

  check(): Promise<void> {
    return this.store.check();
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
