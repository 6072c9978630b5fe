import type { MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import { EmailQueue } from '../platform/mail/email-queue.js';
import { withOfflineProgram } from './offline-program.js';
import type { OperationContext, Operation } from './operation.js';
import { askServer } from './operation-helpers.js';
import { tableOf } from './table.js';

const iso = (instant: number): string => new Date(instant).toISOString();

/** Reports waiting and undeliverable e-mails. */
export const mailStatus: Operation = {
  name: 'mail status',
  about: 'how many e-mails wait for delivery and why, and which failed in the last 30 days. Exit code 1 if any failed',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  async run(context) {
    const status = await statusOf(context);
    const { waiting, oldest, lastReason, undelivered } = status;
    if (context.values.json === true) {
      await context.print(JSON.stringify(status));
      return undelivered.length === 0 ? 0 : 1;
    }
    const since = oldest === null ? '' : `, the oldest since ${iso(oldest)}${lastReason === null ? '' : ` (${lastReason})`}`;
    await context.print(`${waiting} waiting${since}; ${undelivered.length} undelivered`);
    const rows = undelivered.map(({ letter, to, writtenAt, endedAt, tries, reason }) => [letter, to, iso(writtenAt), iso(endedAt), tries, reason]);
    if (rows.length > 0) for (const line of ['', ...tableOf(['e-mail', 'to', 'written', 'given up', 'tries', 'reason'], rows)]) await context.print(line);
    return undelivered.length === 0 ? 0 : 1;
  },
};

const statusOf = async (context: OperationContext): Promise<MailStatus> =>
  (await askServer<MailStatus>(context, { method: 'GET', path: '/mail' })) ?? withOfflineProgram(context.config, (program) => program.get(EmailQueue).status());
