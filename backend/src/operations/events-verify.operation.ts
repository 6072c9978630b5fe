import { surveyLog } from '../platform/event-store/log-survey.js';
import { surveyStore } from '../platform/event-store/store-survey.js';
import { logFileOf } from './log-file.js';
import { openServerLog } from './read-only-log.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';

const number = (count: number): string => count.toLocaleString('en');
const secondsSince = (begun: number): string => ((performance.now() - begun) / 1_000).toFixed(1);

/** Checks that the log is undamaged. */
export const eventsVerify: Operation = {
  name: 'events verify',
  about:
    'checks every checksum, every stream, every page and the write-ahead log (for EventStoreDB: that every event is readable and consistent), and changes nothing. Works while the server is running. Exit code 1 means damage',
  usage: '',
  options: {},
  run: (context) => (context.config.EVENTSTORE_URL === null ? verifyFile(context) : verifyServer(context)),
};

async function verifyFile(context: OperationContext): Promise<number> {
  const file = logFileOf(context.config);
  const begun = performance.now();
  const { events, streams, intactTo, head, damage } = await surveyLog(file);
  const seconds = secondsSince(begun);
  if (damage.length === 0) {
    await context.print(`${file} is intact: ${number(events)} events in ${number(streams)} streams, up to position ${head}, verified in ${seconds} s`);
    return 0;
  }
  for (const { message } of damage) await context.print(message);
  const isAllRead = damage.every(({ position }) => position !== null) && events === head;
  await context.print(`intact up to position ${intactTo}; ${number(events)} events are readable, the newest at position ${head} (${seconds} s)`);
  if (isAllRead) await context.print(`${number(events - intactTo - damage.length)} events after the damage are intact`);
  await context.print('nothing was changed. Copy the data folder first, then restore the newest backup that passes verification.');
  return 1;
}

/** The server verifies its own files; this reads every event as the program does. */
async function verifyServer(context: OperationContext): Promise<number> {
  const begun = performance.now();
  const log = await openServerLog(context.config);
  try {
    const { events, streams, head, wrong, more } = await surveyStore(log, context.signal);
    const found = `${number(events)} events in ${number(streams)} streams, up to position ${head}`;
    for (const sentence of wrong) await context.print(sentence);
    if (more > 0) await context.print(`and ${number(more)} more`);
    if (context.signal.aborted) throw new OperationError(`events verify: interrupted after ${found}`);
    const isWhole = wrong.length === 0;
    await context.print(`the log ${log.identity} ${isWhole ? 'is consistent' : 'is inconsistent'}: ${found}, read in ${secondsSince(begun)} s`);
    context.log('EventStoreDB verifies its checksums itself, at start and in the background; this command checked the events it returned.');
    return isWhole ? 0 : 1;
  } finally {
    await log.close();
  }
}
