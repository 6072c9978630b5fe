import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '../../kernel/event.js';
import type { Opened, OpenedEvents } from '../streams/opened-events.js';

/** How long to wait before each further try of what failed for one event: long enough for a moment's trouble, short enough for those behind it. */
const PAUSES_MS: readonly number[] = [20, 80];

/** What `work` gives, after at most two further tries. @throws what the last try threw */
export async function triedAgain<Answer>(work: () => Answer): Promise<Answer> {
  for (const milliseconds of PAUSES_MS) {
    try {
      return work();
    } catch {
      // The last try below throws what is told.
      await pause(milliseconds);
    }
  }
  return work();
}

/** Opens each event; those that cannot be read are tried again, all of a page together, unless `isGivenUp` says that nobody waits for them. */
export async function openedPatiently(
  opened: OpenedEvents,
  page: readonly StoredEvent[],
  isGivenUp: (event: StoredEvent) => boolean = () => false,
): Promise<readonly Opened[]> {
  const answers = [...(await opened.openEach(page))];
  for (const milliseconds of PAUSES_MS) {
    const failed = page.flatMap((event, at) => (answers[at]?.failure === undefined || isGivenUp(event) ? [] : [{ event, at }]));
    if (failed.length === 0) break;
    await pause(milliseconds);
    const again = await opened.openEach(failed.map(({ event }) => event));
    failed.forEach(({ at }, index) => {
      answers[at] = again[index] ?? answers[at] ?? unasked();
    });
  }
  return answers;
}

function unasked(): never {
  throw new Error('an event was opened without an answer');
}
