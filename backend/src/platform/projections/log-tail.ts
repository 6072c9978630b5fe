import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Opened } from '../streams/opened-events.js';
import { positionOf } from './projection-batch.js';

/** What the tail reads from, and how it opens a page. */
export interface TailParts {
  readonly store: Pick<EventStore, 'subscribe' | 'readAll'>;
  readonly open: (page: readonly StoredEvent[]) => Promise<readonly Opened[]>;
  readonly signal: AbortSignal;
  /** How many events are read, and handed out, at a time. */
  readonly page: number;
}

interface Page {
  /** The position that it begins behind, and that of its last event. */
  readonly after: Position;
  readonly last: Position;
  readonly events: readonly Opened[];
}

/** How long, in milliseconds, the next page waits for a projector that keeps up. */
const GRACE_MS = 5;
/** How many pages are kept for projectors that are slightly behind. One that is further behind reads for itself. */
const KEPT = 8;

/**
 * The end of the log for projectors that each go at their own pace: every page is read and opened once for all that keep up. The next page is read when all
 * of those ask for it, which collects the events written in the meantime; one that takes longer falls behind, and is counted again when it has caught up.
 */
export class LogTail {
  private readonly pages: Page[] = [];
  private following: AsyncIterator<readonly StoredEvent[]> | null = null;
  private reading: Promise<boolean> | null = null;
  /** Those that took the newest page, and those that wait for the next. */
  private inStep = new Set<string>();
  private waiting = new Set<string>();
  private allAsk: () => void = () => undefined;

  /** @param start the position behind which it follows the log */
  constructor(
    private readonly parts: TailParts,
    private readonly start: Position,
  ) {}

  /** The events behind a projector's position, as soon as there are some; null once the signal has aborted. @throws what reading and opening throw */
  async next(projector: string, after: Position): Promise<readonly Opened[] | null> {
    const { store, open, signal, page } = this.parts;
    while (!signal.aborted) {
      const first = this.pages[0];
      if (after < (first?.after ?? this.start)) {
        const missed = await store.readAll({ after, limit: page });
        if (missed.length > 0) return open(missed);
      }
      const kept = this.keptBehind(after);
      if (kept.length > 0) return kept;
      if (!(await this.readOn(projector))) return null;
    }
    return null;
  }

  private keptBehind(after: Position): readonly Opened[] {
    const events: Opened[] = [];
    for (const page of this.pages) {
      if (page.last <= after) continue;
      events.push(...(page.after >= after ? page.events : page.events.filter((each) => positionOf(each) > after)));
      if (events.length >= this.parts.page) break;
    }
    return events;
  }

  /** One page for everything that waits. False when there will be none. */
  private readOn(projector: string): Promise<boolean> {
    this.waiting.add(projector);
    if ([...this.inStep].every((each) => this.waiting.has(each))) this.allAsk();
    this.reading ??= this.readTogether().finally(() => {
      this.reading = null;
      this.inStep = this.waiting;
      this.waiting = new Set();
    });
    return this.reading;
  }

  private async readTogether(): Promise<boolean> {
    if ([...this.inStep].some((each) => !this.waiting.has(each))) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, GRACE_MS);
        this.allAsk = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    return this.readPage();
  }

  private async readPage(): Promise<boolean> {
    const { store, open, signal, page: limit } = this.parts;
    const after = this.pages.at(-1)?.last ?? this.start;
    try {
      this.following ??= store.subscribe({ after, signal, limit })[Symbol.asyncIterator]();
      const step = await this.following.next();
      if (step.done === true) {
        this.following = null;
        return false;
      }
      const events = await open(step.value);
      const last = events.at(-1);
      if (last !== undefined) this.pages.push({ after, last: positionOf(last), events });
      if (this.pages.length > KEPT) this.pages.shift();
      return true;
    } catch (error) {
      // The page is no longer kept, so it is read again.
      await this.following?.return?.();
      this.following = null;
      throw error;
    }
  }
}
