import { surveyLog } from '../platform/event-store/log-survey.js';
import { surveyStore } from '../platform/event-store/store-survey.js';
import { logOf } from './log-of.js';
import { openServerLog } from './log-reading.js';
import { type Asked, type Operation, OperationError } from './operation.js';

const number = (count: number): string => count.toLocaleString('en');
const secondsSince = (begun: number): string => ((performance.now() - begun) / 1_000).toFixed(1);

/** Whether the log is what was written. */
export const eventsVerify: Operation = {
  name: 'events verify',
  about:
    'checks every checksum, every stream, every page and the write-ahead log (of EventStoreDB: that all of it reads as it was written), and changes nothing; beside a running server too. 1: it is damaged',
  usage: '',
  options: {},
  run: (asked) => (asked.config.EVENTSTORE_URL === null ? verifyFile(asked) : verifyServer(asked)),
};

async function verifyFile(asked: Asked): Promise<number> {
  const file = logOf(asked.config);
  const begun = performance.now();
  const { events, streams, intactTo, head, damage } = await surveyLog(file);
  const seconds = secondsSince(begun);
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
}

/** The server holds its files to its own checksums; here every event is read as programs read it. */
async function verifyServer(asked: Asked): Promise<number> {
  const begun = performance.now();
  const log = await openServerLog(asked.config);
  try {
    const { events, streams, head, wrong, more } = await surveyStore(log, asked.signal);
    const found = `${number(events)} events in ${number(streams)} streams, up to position ${head}`;
    for (const sentence of wrong) await asked.say(sentence);
    if (more > 0) await asked.say(`and ${number(more)} more`);
    if (asked.signal.aborted) throw new OperationError(`events verify: broken off after ${found}`);
    const isWhole = wrong.length === 0;
    await asked.say(`the log ${log.identity} ${isWhole ? 'reads as it was written' : 'is not what was written'}: ${found}, read in ${secondsSince(begun)} s`);
    asked.tell('Checksums are the affair of EventStoreDB, which checks its files at its start and in the background; what it gave out was looked at here.');
    return isWhole ? 0 : 1;
  } finally {
    await log.close();
  }
}
