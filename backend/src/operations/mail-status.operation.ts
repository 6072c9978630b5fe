import type { MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import { Letters } from '../platform/mail/letters.js';
import { withOfflineProgram } from './offline-program.js';
import type { Asked, Operation } from './operation.js';
import { askServer } from './read-models-desk.js';
import { tableOf } from './table.js';

const iso = (instant: number): string => new Date(instant).toISOString();

/** Tells what became of letters. */
export const mailStatus: Operation = {
  name: 'mail status',
  about: 'how many letters wait to be delivered and why, and which of the last 30 days could not be; 1 when there are such',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  async run(asked) {
    const status = await statusOf(asked);
    const { waiting, oldest, lastReason, undelivered } = status;
    if (asked.values.json === true) {
      await asked.say(JSON.stringify(status));
      return undelivered.length === 0 ? 0 : 1;
    }
    const since = oldest === null ? '' : `, the oldest since ${iso(oldest)}${lastReason === null ? '' : ` (${lastReason})`}`;
    await asked.say(`${waiting} waiting${since}; ${undelivered.length} undelivered`);
    const rows = undelivered.map(({ letter, to, writtenAt, endedAt, tries, reason }) => [letter, to, iso(writtenAt), iso(endedAt), tries, reason]);
    if (rows.length > 0) for (const line of ['', ...tableOf(['letter', 'to', 'written', 'given up', 'tries', 'reason'], rows)]) await asked.say(line);
    return undelivered.length === 0 ? 0 : 1;
  },
};

const statusOf = async (asked: Asked): Promise<MailStatus> =>
  (await askServer<MailStatus>(asked, { method: 'GET', path: '/mail' })) ?? withOfflineProgram(asked.config, (program) => program.get(Letters).status());
