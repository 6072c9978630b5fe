import { ADMIN_KEY } from './program.mjs';
import { until } from './studio.mjs';

/** Sent by visitors without an account; only the operator may read it. */
export const INQUIRIES = [
  'asker',
  'contactFirst',
  'contactLast',
  'contactFull',
  'contactCompany',
  'contactPhone',
  'contactAddress',
  'contactText',
  'waitingAddress',
  'waitingText',
];

/** Sends an invite request and a contact message. */
export async function askFromOutside(visitor, words) {
  await visitor.must('POST', '/api/inviteRequests', { email: `${words.asker}@example.org` });
  const names = { firstName: words.contactFirst, lastName: words.contactLast, fullName: words.contactFull, reply_to: `${words.contactAddress}@example.org` };
  await visitor.must('POST', '/api/contact', { ...names, company: words.contactCompany, phone: words.contactPhone, message_content: words.contactText });
}

/** Sends a message whose e-mail to the operator waits, because no mail server answers. */
export async function leaveWaiting(visitor, words) {
  const names = { firstName: 'Wanda', lastName: 'Waits', fullName: 'Wanda Waits', reply_to: `${words.waitingAddress}@example.org` };
  await visitor.must('POST', '/api/contact', { ...names, company: '', phone: '', message_content: words.waitingText });
  const status = () => visitor.must('GET', `/api/admin/${ADMIN_KEY}/mail`);
  await until('an e-mail waits after its first attempt', async () => (await status()).lastReason !== null);
}
