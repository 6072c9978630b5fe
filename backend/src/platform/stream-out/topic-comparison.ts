import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';

/** What the comparison needs of a message. Messages are taken by partition in the order of their offsets. */
export interface ComparedMessage {
  readonly partition: number;
  readonly id: string;
  readonly key: string;
  /** Whether older messages of its partition were deleted. */
  readonly isTrimmed: boolean;
}

/** An event that should be in the topic, and how often it is. */
interface Expected extends Pick<StoredEvent, 'id' | 'position' | 'stream' | 'revision' | 'type'> {
  readonly isParked: boolean;
  times: number;
}

/** How far a reader gets that takes the events of a stream strictly by their revisions and ignores the others. */
interface StreamRead {
  readonly events: Expected[];
  readonly partitions: Set<number>;
  next: number;
}

export type MissingEvent = Pick<StoredEvent, 'id' | 'position' | 'stream' | 'type'>;

export interface Comparison {
  readonly events: number;
  readonly messages: number;
  /** Oldest first; neither those that are parked nor those that the topic no longer keeps. */
  readonly missing: readonly MissingEvent[];
  readonly repeats: number;
  /** Streams of which every event is in the topic, but some only after later ones, with the first event that never comes in its turn. The oldest first. */
  readonly disordered: readonly { readonly stream: string; readonly revision: number; readonly position: Position }[];
  /** Streams whose events are in several partitions, so that their order is unknown. */
  readonly split: number;
  /** Messages of other sources: another log, or newer than the compared events. */
  readonly others: number;
  readonly parked: number;
  /** Events that the topic has deleted because of their age. */
  readonly trimmed: number;
}

/** The revision that such a reader takes next: parked events are not in the topic. */
function nextOf({ events, next }: StreamRead): number {
  let revision = next;
  while (events[revision]?.isParked === true) revision += 1;
  return revision;
}

const atRevision = ({ stream, revision, position }: Expected) => ({ stream, revision, position });

/** Compares the messages of a topic with the events that were published to it. Keeps all events in memory. */
export class TopicComparison {
  readonly #events = new Map<string, Expected>();
  readonly #streams = new Map<string, StreamRead>();
  /** The oldest position found in each partition that has lost older messages. */
  readonly #oldest = new Map<number, Position>();
  #messages = 0;
  #repeats = 0;
  #others = 0;

  /** Adds an event of the log; in the order of the log. */
  expect({ id, position, stream, revision, type }: StoredEvent, isParked: boolean): void {
    const event: Expected = { id, position, stream, revision, type, isParked, times: 0 };
    this.#events.set(id, event);
    const read = this.#streams.get(stream);
    if (read === undefined) this.#streams.set(stream, { events: [event], partitions: new Set(), next: 0 });
    else read.events.push(event);
  }

  take({ partition, id, key, isTrimmed }: ComparedMessage): void {
    this.#messages += 1;
    const event = this.#events.get(id);
    const stream = this.#streams.get(key);
    if (event === undefined || stream === undefined || event.stream !== key) {
      this.#others += 1;
      return;
    }
    event.times += 1;
    if (event.times > 1) this.#repeats += 1;
    if (isTrimmed) this.#oldest.set(partition, Math.min(event.position, this.#oldest.get(partition) ?? event.position));
    if (isTrimmed && stream.partitions.size === 0) stream.next = event.revision;
    stream.partitions.add(partition);
    if (event.revision === nextOf(stream)) stream.next = event.revision + 1;
  }

  /** The result, once every message was taken. `partitionOf`: the partition of a stream; `isTrimmed`: whether a partition has lost older messages. */
  result({ partitionOf, isTrimmed }: { readonly partitionOf: (stream: string) => number; readonly isTrimmed: (partition: number) => boolean }): Comparison {
    const absent = [...this.#events.values()].filter(({ times }) => times === 0);
    const unexplained = absent.filter(({ isParked }) => !isParked);
    const isTooOld = ({ stream, position }: Expected): boolean => {
      const partition = partitionOf(stream);
      return isTrimmed(partition) && position < (this.#oldest.get(partition) ?? Infinity);
    };
    const missing = unexplained.filter((event) => !isTooOld(event));
    const incomplete = new Set(missing.map(({ stream }) => stream));
    const complete = [...this.#streams].filter(([name]) => !incomplete.has(name));
    const inOne = complete.filter(([, { partitions }]) => partitions.size === 1);
    return {
      events: this.#events.size,
      messages: this.#messages,
      missing: missing.map(({ id, position, stream, type }) => ({ id, position, stream, type })),
      repeats: this.#repeats,
      disordered: inOne
        .flatMap(([, stream]) => stream.events[nextOf(stream)] ?? [])
        .map(atRevision)
        .toSorted((one, other) => one.position - other.position),
      split: [...this.#streams.values()].filter(({ partitions }) => partitions.size > 1).length,
      others: this.#others,
      parked: absent.length - unexplained.length,
      trimmed: unexplained.length - missing.length,
    };
  }
}
