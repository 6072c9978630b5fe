import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '../../kernel/event.js';
import type { Opened, OpenedEvents } from '../streams/opened-events.js';

/** Pauses before each retry of one event: long enough to outlast a brief failure, short enough not to delay the events behind it. */
const PAUSES_MS: readonly number[] = [20, 80];

/** Calls `work` up to three times. @throws what the last call threw */
export async function retryBriefly<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  for (const milliseconds of PAUSES_MS) {
    try {
      return await work();
    } catch {
      // If the last attempt below fails too, its error is thrown.
      await pause(milliseconds);
    }
  }
  return work();
}

/** Opens each event of a page. Those that cannot be read are retried together, except where `isNotNeeded`. */
export async function openWithRetries(
  opened: OpenedEvents,
  page: readonly StoredEvent[],
  isNotNeeded: (event: StoredEvent) => boolean = () => false,
): Promise<readonly Opened[]> {
  const answers = [...(await opened.openEach(page))];
  for (const milliseconds of PAUSES_MS) {
    const failed = page.flatMap((event, at) => (answers[at]?.failure === undefined || isNotNeeded(event) ? [] : [{ event, at }]));
    if (failed.length === 0) break;
    await pause(milliseconds);
    const again = await opened.openEach(failed.map(({ event }) => event));
    failed.forEach(({ at }, index) => {
      answers[at] = again[index] ?? answers[at] ?? missingAnswer();
    });
  }
  return answers;
}

function missingAnswer(): never {
  throw new Error('an event was neither opened nor reported as unreadable');
}
