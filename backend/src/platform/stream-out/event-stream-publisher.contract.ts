import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceUnavailable } from '../store-errors.js';
import { EventsTooLarge, type EventStreamPublisher, type OutgoingEvent } from './event-stream-publisher.js';

/** The target of one test; `received` returns the events that arrived, in order of arrival within each key. */
export interface PublisherTarget {
  readonly open: () => Promise<EventStreamPublisher>;
  readonly received: () => Promise<readonly OutgoingEvent[]>;
  /** An event that the broker refuses as too large. */
  readonly tooLarge: OutgoingEvent;
  readonly remove: () => Promise<void>;
}

const STREAMS = 9;
const patient = new AbortController().signal;

/** Interleaved events of several streams. */
export const someEvents = (from: number, count: number): readonly OutgoingEvent[] =>
  Array.from({ length: count }, (_, at) => {
    const n = from + at;
    return { key: `project-${n % STREAMS}`, id: `event-${n}`, type: 'roughmix.Tried', body: JSON.stringify({ n, text: 'ü'.repeat(n % 40) }) };
  });

/** The same events grouped by key. */
const byKey = (events: readonly OutgoingEvent[]): readonly OutgoingEvent[] =>
  events.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));

/** What every publisher promises; each adapter's spec calls it with a fresh target per test. */
export function eventStreamPublisherContract(name: string, fresh: () => Promise<PublisherTarget>): void {
  describe(`${name} as a publisher of the event stream`, () => {
    let target: PublisherTarget;
    let publisher: EventStreamPublisher;
    beforeEach(async () => {
      target = await fresh();
      publisher = await target.open();
    });
    afterEach(async () => {
      await publisher.close();
      await target.remove();
    });

    test('events have arrived complete and in order when publishing resolves', async () => {
      await publisher.publish(someEvents(0, 100), patient);
      expect(byKey(await target.received())).toEqual(byKey(someEvents(0, 100)));
    });

    test('calls are processed one at a time in order, even if the caller does not await them', async () => {
      await Promise.all([0, 50, 100, 150].map((from) => publisher.publish(someEvents(from, 50), patient)));
      expect(byKey(await target.received())).toEqual(byKey(someEvents(0, 200)));
    });

    test('another publisher can continue where one ended', async () => {
      await publisher.publish(someEvents(0, 20), patient);
      await publisher.close();
      publisher = await target.open();
      await publisher.publish(someEvents(20, 20), patient);
      expect(byKey(await target.received())).toEqual(byKey(someEvents(0, 40)));
    });

    test('a too large event throws EventsTooLarge, and later ones arrive', async () => {
      await publisher.publish(someEvents(0, 10), patient);
      await expect(publisher.publish([target.tooLarge], patient)).rejects.toThrow(EventsTooLarge);
      await publisher.publish(someEvents(10, 10), patient);
      await publisher.publish(someEvents(20, 10), patient);
      expect(byKey(await target.received())).toEqual(byKey(someEvents(0, 30)));
    });

    test('an abort ends a publish at once, and the same events can be sent again', async () => {
      const stopping = new AbortController();
      const sending = publisher.publish(someEvents(0, 10), stopping.signal);
      stopping.abort();
      await expect(sending).rejects.toThrow(ServiceUnavailable);
      await publisher.publish(someEvents(0, 10), patient);
      const received = await target.received();
      expect(new Set(received.map(({ id }) => id))).toEqual(new Set(someEvents(0, 10).map(({ id }) => id)));
    });

    test('a closed publisher throws ServiceUnavailable, and closing ends calls in progress', async () => {
      const sending = publisher.publish(someEvents(0, 10), patient).catch((error: unknown) => error);
      await publisher.close();
      expect(await sending).toBeInstanceOf(ServiceUnavailable);
      await expect(publisher.publish(someEvents(0, 1), patient)).rejects.toThrow(ServiceUnavailable);
    });
  });
}
