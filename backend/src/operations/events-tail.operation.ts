import type { StoredEvent } from '../kernel/event.js';
import { plainEvent } from '../platform/personal-data/plain-event.js';
import { positionOf } from './log-file.js';
import { type ReadOnlyLog, openReadOnlyLog } from './read-only-log.js';
import type { OperationContext, Operation } from './operation.js';

const LAST = 10;

/** Prints the newest events and follows the log. */
export const eventsTail: Operation = {
  name: 'events tail',
  about: 'prints the last ten events, or those after a position, as lines of JSON without sealed fields; --follow waits for new events',
  usage: '[--after POSITION] [--follow]',
  options: { after: { type: 'string' }, follow: { type: 'boolean' } },
  async run(context) {
    const asksAfter = positionOf('after', context.values.after);
    const log = await openReadOnlyLog(context.config);
    try {
      const reached = await printExisting(context, log, asksAfter);
      if (context.values.follow === true) for await (const page of log.follow(reached, context.signal)) await printEvents(context, page);
    } finally {
      await log.close();
    }
    return 0;
  },
};

const printEvents = async (context: OperationContext, page: readonly StoredEvent[]): Promise<void> => {
  for (const event of page) await context.print(JSON.stringify(plainEvent(event)));
};

/** Prints the existing events. @returns the last position */
async function printExisting(context: OperationContext, log: ReadOnlyLog, after: number | null): Promise<number> {
  let page = after === null ? await log.newest(LAST) : await log.after(after);
  let reached = after ?? 0;
  while (page.length > 0 && !context.signal.aborted) {
    await printEvents(context, page);
    reached = page.at(-1)?.position ?? reached;
    page = await log.after(reached);
  }
  return reached;
}
