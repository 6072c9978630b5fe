import { plainEvent } from '../platform/personal-data/plain-event.js';
import { positionOf } from './log-of.js';
import { openLogReading } from './log-reading.js';
import type { Operation } from './operation.js';

/** All events, or some, for a program that reads them. */
export const eventsExport: Operation = {
  name: 'events export',
  about: 'every event as a line of JSON, oldest first, sealed fields left out (docs/events.md tells the shape); beside a running server too',
  usage: '[--after POSITION] [--until POSITION]',
  options: { after: { type: 'string' }, until: { type: 'string' } },
  async run(asked) {
    const { config, values, signal } = asked;
    const until = positionOf('until', values.until) ?? Number.MAX_SAFE_INTEGER;
    let after = positionOf('after', values.after) ?? 0;
    const log = await openLogReading(config);
    let count = 0;
    try {
      for (let page = await log.after(after); page.length > 0 && !signal.aborted; page = await log.after(after)) {
        for (const event of page) {
          if (event.position > until || signal.aborted) break;
          await asked.say(JSON.stringify(plainEvent(event)));
          count += 1;
        }
        after = page.at(-1)?.position ?? after;
        if (after >= until) break;
      }
    } finally {
      await log.close();
    }
    asked.tell(count === 1 ? '1 event' : `${count} events`);
    return 0;
  },
};
