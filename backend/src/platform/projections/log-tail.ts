import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Opened } from '../streams/opened-events.js';
import { positionOf } from './projection-batch.js';

/** What the tail reads from, and how it opens a page. */
export interface TailDeps {
  readonly store: Pick<EventStore, 'subscribe' | 'readAll'>;
  readonly open: (page: readonly StoredEvent[]) => Promise<readonly Opened[]>;
  readonly signal: AbortSignal;
  /** How many events are read and returned at a time. */
  readonly page: number;
}

interface Page {
  /** The position before its first event, and that of its last one. */
  readonly after: Position;
  readonly last: Position;
  readonly events: readonly Opened[];
}

/** How long reading the next page waits for projectors that have kept up so far, in milliseconds. */
const GRACE_MS = 5;
/** How many pages are kept for projectors that are slightly behind. One that is further behind reads the log itself. */
const KEPT_PAGES = 8;

/**
 * Reads the end of the log once for all projectors that keep up. It reads the next page when all of them have asked for it; events written in the meantime
 * are then read together. A projector that takes too long is not waited for until it has caught up again.
 */
export class LogTail {
  private readonly pages: Page[] = [];
  private following: AsyncIterator<readonly StoredEvent[]> | null = null;
  private reading: Promise<boolean> | null = null;
  /** The projectors that received the newest page, and those that wait for the next one. */
  private keepingUp = new Set<string>();
  private waiting = new Set<string>();
  private onAllWaiting: () => void = () => undefined;

  /** @param start the position after which it follows the log */
  constructor(
    private readonly deps: TailDeps,
    private readonly start: Position,
  ) {}

  /** The events after a projector's position, as soon as there are some; null once the signal has aborted. @throws what reading and opening throw */
  async next(projector: string, after: Position): Promise<readonly Opened[] | null> {
    const { store, open, signal, page } = this.deps;
    while (!signal.aborted) {
      const first = this.pages[0];
      if (after < (first?.after ?? this.start)) {
        const missed = await store.readAll({ after, limit: page });
        if (missed.length > 0) return open(missed);
      }
      const kept = this.keptAfter(after);
      if (kept.length > 0) return kept;
      if (!(await this.readNext(projector))) return null;
    }
    return null;
  }

  private keptAfter(after: Position): readonly Opened[] {
    const events: Opened[] = [];
    for (const page of this.pages) {
      if (page.last <= after) continue;
      events.push(...(page.after >= after ? page.events : page.events.filter((each) => positionOf(each) > after)));
      if (events.length >= this.deps.page) break;
    }
    return events;
  }

  /** Reads the next page for all projectors that wait. @returns false if the log is no longer followed */
  private readNext(projector: string): Promise<boolean> {
    this.waiting.add(projector);
    if ([...this.keepingUp].every((each) => this.waiting.has(each))) this.onAllWaiting();
    this.reading ??= this.readTogether().finally(() => {
      this.reading = null;
      this.keepingUp = this.waiting;
      this.waiting = new Set();
    });
    return this.reading;
  }

  private async readTogether(): Promise<boolean> {
    if ([...this.keepingUp].some((each) => !this.waiting.has(each))) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, GRACE_MS);
        this.onAllWaiting = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    return this.readPage();
  }

  private async readPage(): Promise<boolean> {
    const { store, open, signal, page: limit } = this.deps;
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
      if (this.pages.length > KEPT_PAGES) this.pages.shift();
      return true;
    } catch (error) {
      // The subscription has already moved past this page, so start a new one to read it again.
      await this.following?.return?.();
      this.following = null;
      throw error;
    }
  }
}
