import { setTimeout as pause } from 'node:timers/promises';
import { openLogReader } from '../platform/event-store/log-survey.js';
import { plainEvent } from '../platform/personal-data/plain-event.js';
import { logOf, positionOf } from './log-of.js';
import type { Operation } from './operation.js';

const LAST = 10;
const PAGE = 500;
const POLL_MS = 250;

/** The newest events, and those to come. */
export const eventsTail: Operation = {
  name: 'events tail',
  about: 'the last ten events, or those after a position, as lines of JSON without sealed fields; --follow goes on with what comes',
  usage: '[--after POSITION] [--follow]',
  options: { after: { type: 'string' }, follow: { type: 'boolean' } },
  async run(asked) {
    const { config, values, signal } = asked;
    const log = await openLogReader(logOf(config));
    try {
      let after = positionOf('after', values.after) ?? Math.max(0, log.head() - LAST);
      while (!signal.aborted) {
        const page = log.all(after, PAGE);
        for (const event of page) await asked.say(JSON.stringify(plainEvent(event)));
        after = page.at(-1)?.position ?? after;
        if (page.length > 0) continue;
        if (values.follow !== true) break;
        // An abort ends the pause with an error, and the loop.
        await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      log.close();
    }
    return 0;
  },
};
