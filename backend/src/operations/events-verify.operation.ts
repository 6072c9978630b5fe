import { surveyLog } from '../platform/event-store/log-survey.js';
import { logOf } from './log-of.js';
import type { Operation } from './operation.js';

const number = (count: number): string => count.toLocaleString('en');

/** Whether the log is what was written. */
export const eventsVerify: Operation = {
  name: 'events verify',
  about: 'checks every checksum, every stream, every page and the write-ahead log, and changes nothing; beside a running server too. 1: it is damaged',
  usage: '',
  options: {},
  async run(asked) {
    const { config } = asked;
    const file = logOf(config);
    const begun = performance.now();
    const { events, streams, intactTo, head, damage } = await surveyLog(file);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    if (damage.length === 0) {
      await asked.say(`${file} is whole: ${number(events)} events in ${number(streams)} streams, up to position ${head}, verified in ${seconds} s`);
      return 0;
    }
    for (const { message } of damage) await asked.say(message);
    const isAllRead = damage.every(({ position }) => position !== null) && events === head;
    await asked.say(`intact up to position ${intactTo}; ${number(events)} events could be read, the newest at position ${head} (${seconds} s)`);
    if (isAllRead) await asked.say(`behind the damage ${number(events - intactTo - damage.length)} events follow each other as they were written`);
    await asked.say('nothing was changed. A copy of the data folder comes first; then restore the newest backup that verifies.');
    return 1;
  },
};
