import type { LetterSentAnswer } from '@roughmix/contracts/admin/admin.view.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { sendTestLetter } from '../admin/test-letter.js';
import { Refused } from '../kernel/refusal.js';
import { Letters } from '../platform/mail/letters.js';
import { withOfflineProgram } from './offline-program.js';
import { type Asked, type Operation, OperationError } from './operation.js';
import { askServer } from './read-models-desk.js';

/** Puts a letter on its way, to see whether letters arrive. */
export const mailSend: Operation = {
  name: 'mail send',
  about: 'puts a letter on its way that shows whether letters arrive; without a running program it goes out at the next start',
  usage: '--to <email address>',
  options: { to: { type: 'string' } },
  async run(asked) {
    const { to } = asked.values;
    if (typeof to !== 'string' || to === '') throw new OperationError('mail send: say where to, --to <email address>');
    const { letter } = (await askServer<LetterSentAnswer>(asked, { path: '/mail', body: { to } })) ?? (await sendOffline(asked, to));
    await asked.say(`on its way as ${letter}; "mail status" tells what became of it`);
    return 0;
  },
};

async function sendOffline({ config }: Asked, to: string): Promise<LetterSentAnswer> {
  try {
    return await withOfflineProgram(config, async (program) => ({ letter: await sendTestLetter(program.get(Letters), to) }));
  } catch (error) {
    if (error instanceof Refused) throw new OperationError(detailOf(error.code));
    throw error;
  }
}
