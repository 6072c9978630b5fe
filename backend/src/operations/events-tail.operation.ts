import type { StoredEvent } from '../kernel/event.js';
import { plainEvent } from '../platform/personal-data/plain-event.js';
import { positionOf } from './log-of.js';
import { type LogReading, openLogReading } from './log-reading.js';
import type { Asked, Operation } from './operation.js';

const LAST = 10;

/** The newest events, and those to come. */
export const eventsTail: Operation = {
  name: 'events tail',
  about: 'the last ten events, or those after a position, as lines of JSON without sealed fields; --follow goes on with what comes',
  usage: '[--after POSITION] [--follow]',
  options: { after: { type: 'string' }, follow: { type: 'boolean' } },
  async run(asked) {
    const asksAfter = positionOf('after', asked.values.after);
    const log = await openLogReading(asked.config);
    try {
      const reached = await tellThere(asked, log, asksAfter);
      if (asked.values.follow === true) for await (const page of log.follow(reached, asked.signal)) await tell(asked, page);
    } finally {
      await log.close();
    }
    return 0;
  },
};

const tell = async (asked: Asked, page: readonly StoredEvent[]): Promise<void> => {
  for (const event of page) await asked.say(JSON.stringify(plainEvent(event)));
};

/** What is there already. @returns how far that is */
async function tellThere(asked: Asked, log: LogReading, after: number | null): Promise<number> {
  let page = after === null ? await log.newest(LAST) : await log.after(after);
  let reached = after ?? 0;
  while (page.length > 0 && !asked.signal.aborted) {
    await tell(asked, page);
    reached = page.at(-1)?.position ?? reached;
    page = await log.after(reached);
  }
  return reached;
}
