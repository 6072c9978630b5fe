import { join } from 'node:path';
import type { EmailQueuedAnswer } from '@roughmix/contracts/admin/admin.view.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { sendTestEmail } from '../admin/test-email.js';
import { Refused } from '../kernel/refusal.js';
import { EmailQueue } from '../platform/mail/email-queue.js';
import { withOfflineProgram } from './offline-program.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';
import { askServer } from './operation-helpers.js';

/** Queues a test e-mail. */
export const mailSend: Operation = {
  name: 'mail send',
  about: 'sends a test e-mail; without a running program it is delivered after the next start',
  usage: '--to <email address>',
  options: { to: { type: 'string' } },
  async run(context) {
    const { to } = context.values;
    if (typeof to !== 'string' || to === '') throw new OperationError('mail send: name the recipient, --to <email address>');
    const { letter } = (await askServer<EmailQueuedAnswer>(context, { path: '/mail', body: { to } })) ?? (await sendOffline(context, to));
    const { SMTP_URL, DATA_DIR } = context.config;
    const result = SMTP_URL === null ? `without SMTP_URL it becomes a file in ${join(DATA_DIR, 'outbox')}` : '"mail status" shows the result';
    await context.print(`queued as ${letter}; ${result}`);
    return 0;
  },
};

async function sendOffline({ config }: OperationContext, to: string): Promise<EmailQueuedAnswer> {
  try {
    return await withOfflineProgram(config, async (program) => ({ letter: await sendTestEmail(program.get(EmailQueue), to) }));
  } catch (error) {
    if (error instanceof Refused) throw new OperationError(detailOf(error.code));
    throw error;
  }
}
