import { plainEvent } from '../platform/personal-data/plain-event.js';
import { positionOf } from './log-file.js';
import { openReadOnlyLog } from './read-only-log.js';
import type { Operation } from './operation.js';

/** Prints all events, or a range, for other programs. */
export const eventsExport: Operation = {
  name: 'events export',
  about: 'prints every event as a line of JSON, oldest first, without sealed fields (docs/events.md describes the shape). Works while the server is running',
  usage: '[--after POSITION] [--until POSITION]',
  options: { after: { type: 'string' }, until: { type: 'string' } },
  async run(context) {
    const { config, values, signal } = context;
    const until = positionOf('until', values.until) ?? Number.MAX_SAFE_INTEGER;
    let after = positionOf('after', values.after) ?? 0;
    const log = await openReadOnlyLog(config);
    let count = 0;
    try {
      for (let page = await log.after(after); page.length > 0 && !signal.aborted; page = await log.after(after)) {
        for (const event of page) {
          if (event.position > until || signal.aborted) break;
          await context.print(JSON.stringify(plainEvent(event)));
          count += 1;
        }
        after = page.at(-1)?.position ?? after;
        if (after >= until) break;
      }
    } finally {
      await log.close();
    }
    context.log(count === 1 ? '1 event' : `${count} events`);
    return 0;
  },
};
