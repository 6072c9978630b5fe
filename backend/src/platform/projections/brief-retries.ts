import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '../../kernel/event.js';
import type { Opened, OpenedEvents } from '../streams/opened-events.js';

/** Pauses before each retry of one event: long enough for a transient failure, short enough for the events behind it. */
const PAUSES_MS: readonly number[] = [20, 80];

/** Calls `work` up to three times. @throws what the last call threw */
export async function retryBriefly<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  for (const milliseconds of PAUSES_MS) {
    try {
      return await work();
    } catch {
      // The last call below throws what is reported.
      await pause(milliseconds);
    }
  }
  return work();
}

/** Opens each event of a page. Those that cannot be read are retried together, except where `isGivenUp` says that nothing needs them. */
export async function openWithRetries(
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
      answers[at] = again[index] ?? answers[at] ?? missingAnswer();
    });
  }
  return answers;
}

function missingAnswer(): never {
  throw new Error('an event was opened without an answer');
}
