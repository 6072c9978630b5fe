import { RecentMap } from '../recent-map.js';
import type { Appended } from './event-store.js';

/** Where a stream ends: `revision` -1 and no id when it has no event. */
export interface Tail extends Appended {
  readonly lastId: string | null;
}

interface Recent extends Appended {
  readonly stream: string;
  readonly ids: string;
}

const MOST_STREAMS = 20_000;
const MOST_RECENT = 10_000;

/** What this process knows of the ends of streams, and of its own latest appends at 'any'. All of it is a guess that the server corrects. */
export class StreamTails {
  readonly #tails = new RecentMap<Tail>(MOST_STREAMS);
  readonly #recent = new RecentMap<Recent>(MOST_RECENT);

  get(stream: string): Tail | undefined {
    return this.#tails.get(stream);
  }

  /** The stream was seen to end here. */
  set(stream: string, tail: Tail): void {
    this.#tails.set(stream, tail);
  }

  forget(stream: string): void {
    this.#tails.delete(stream);
  }

  /** These events were appended at 'any'. */
  remember(stream: string, ids: readonly string[], appended: Appended): void {
    this.#recent.set(ids[0] ?? '', { ...appended, stream, ids: ids.join() });
  }

  /** What an earlier append of the very same events at 'any' was answered, undefined when it is none of the latest. */
  repeated(stream: string, ids: readonly string[]): Appended | undefined {
    const recent = this.#recent.get(ids[0] ?? '');
    return recent?.stream === stream && recent.ids === ids.join() ? { revision: recent.revision, position: recent.position } : undefined;
  }
}
