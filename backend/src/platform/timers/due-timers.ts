import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { instantIn, type StoredTimer } from './timer-records.js';
import type { Timers } from './timers.js';

/** How many timers are read at once. */
const PAGE = 500;
/** By how much the clock of a process that sets a timer may be behind. */
const CLOCK_SKEW_MS = 10_000;

/** Whose timers share a line: those without an author form one. */
const authorOf = ({ body }: StoredTimer): string => body.by ?? '';

/**
 * The due timers of one kind, in turns by author: someone with thousands delays another's by one at a time. All that are due are kept here, because those
 * of others may lie behind any number of one author's.
 */
export class DueTimers {
  /** In the order of the authors' next turns; each line is in the order of its timers' instants. */
  private readonly lines = new Map<string, Map<string, StoredTimer>>();
  /** Everything that is due by then has been read. */
  private readTo: Instant = 0;

  constructor(
    private readonly timers: Timers,
    private readonly kind: string,
  ) {}

  /** Adds what has become due since the last look, all after {@link clear} and once every timer was taken. @returns when the next one is due, null without one */
  async look(now: Instant): Promise<Instant | null> {
    const from = this.lines.size === 0 ? 0 : this.readTo - CLOCK_SKEW_MS;
    for (let after: Instant | StoredTimer = Math.max(0, from); ;) {
      const page: readonly StoredTimer[] = await this.timers.upcoming(this.kind, PAGE, after);
      for (const timer of page) {
        const at = instantIn(timer.body.next ?? '');
        if (at > now) return this.read(now, at);
        this.add(timer);
      }
      const last = page.at(-1);
      // Slots of earlier versions are shared: what does not fit on a page is read once the others have fired.
      const isStuck = typeof after !== 'number' && last?.body.next === after.body.next;
      if (last === undefined || page.length < PAGE || isStuck) return this.read(now, null);
      after = last;
    }
  }

  /** Takes the timer whose author's turn it is; undefined when none is due. */
  take(): StoredTimer | undefined {
    for (const [author, line] of this.lines) {
      this.lines.delete(author);
      for (const [id, timer] of line) {
        line.delete(id);
        // Behind everybody else.
        if (line.size > 0) this.lines.set(author, line);
        return timer;
      }
    }
    return undefined;
  }

  /** Forgets what was read, because a timer that was taken may not have been fired. */
  clear(): void {
    this.lines.clear();
  }

  private read(now: Instant, next: Instant | null): Instant | null {
    this.readTo = now;
    return next;
  }

  private add(timer: StoredTimer): void {
    const author = authorOf(timer);
    const line = this.lines.get(author) ?? new Map<string, StoredTimer>();
    this.lines.set(author, line.set(timer.id, timer));
  }
}
