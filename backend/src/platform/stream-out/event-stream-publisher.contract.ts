import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreAway } from '../store-errors.js';
import { EventsTooLarge, type EventStreamPublisher, type OutgoingEvent } from './event-stream-publisher.js';

/** A place of its own for one test; `received` gives what arrived, in the order of arrival within each key. */
export interface PublisherPlace {
  readonly open: () => Promise<EventStreamPublisher>;
  readonly received: () => Promise<readonly OutgoingEvent[]>;
  /** An event that the other side takes for too large. */
  readonly tooLarge: OutgoingEvent;
  readonly remove: () => Promise<void>;
}

const STREAMS = 9;
const patient = new AbortController().signal;

/** The events of some streams, mixed. */
export const someEvents = (from: number, count: number): readonly OutgoingEvent[] =>
  Array.from({ length: count }, (_, at) => {
    const n = from + at;
    return { key: `project-${n % STREAMS}`, id: `event-${n}`, type: 'roughmix.Tried', body: JSON.stringify({ n, text: 'ü'.repeat(n % 40) }) };
  });

/** The same events, those of each key together. */
const byKey = (events: readonly OutgoingEvent[]): readonly OutgoingEvent[] =>
  events.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));

/** What every publisher promises; each adapter's spec calls it with a fresh place per test. */
export function eventStreamPublisherContract(name: string, fresh: () => Promise<PublisherPlace>): void {
  describe(`${name} as a publisher of the event stream`, () => {
    let place: PublisherPlace;
    let publisher: EventStreamPublisher;
    beforeEach(async () => {
      place = await fresh();
      publisher = await place.open();
    });
    afterEach(async () => {
      await publisher.close();
      await place.remove();
    });

    test('events have arrived whole and in order when publishing resolves', async () => {
      await publisher.publish(someEvents(0, 100), patient);
      expect(byKey(await place.received())).toEqual(byKey(someEvents(0, 100)));
    });

    test('calls are worked on one after the other, in their order, also when nobody waits in between', async () => {
      await Promise.all([0, 50, 100, 150].map((from) => publisher.publish(someEvents(from, 50), patient)));
      expect(byKey(await place.received())).toEqual(byKey(someEvents(0, 200)));
    });

    test('another publisher goes on where one ended', async () => {
      await publisher.publish(someEvents(0, 20), patient);
      await publisher.close();
      publisher = await place.open();
      await publisher.publish(someEvents(20, 20), patient);
      expect(byKey(await place.received())).toEqual(byKey(someEvents(0, 40)));
    });

    test('what is too large is told as that, and what comes afterwards arrives', async () => {
      await publisher.publish(someEvents(0, 10), patient);
      await expect(publisher.publish([place.tooLarge], patient)).rejects.toThrow(EventsTooLarge);
      await publisher.publish(someEvents(10, 10), patient);
      await publisher.publish(someEvents(20, 10), patient);
      expect(byKey(await place.received())).toEqual(byKey(someEvents(0, 30)));
    });

    test('whoever stops does not wait, and the same can be sent again', async () => {
      const stopping = new AbortController();
      const sending = publisher.publish(someEvents(0, 10), stopping.signal);
      stopping.abort();
      await expect(sending).rejects.toThrow(StoreAway);
      await publisher.publish(someEvents(0, 10), patient);
      const received = await place.received();
      expect(new Set(received.map(({ id }) => id))).toEqual(new Set(someEvents(0, 10).map(({ id }) => id)));
    });

    test('a closed publisher says that it is away, and closing ends what is under way', async () => {
      const sending = publisher.publish(someEvents(0, 10), patient).catch((error: unknown) => error);
      await publisher.close();
      expect(await sending).toBeInstanceOf(StoreAway);
      await expect(publisher.publish(someEvents(0, 1), patient)).rejects.toThrow(StoreAway);
    });
  });
}
