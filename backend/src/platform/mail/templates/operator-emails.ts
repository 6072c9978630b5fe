import type { ContactMessageView } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { showsNothing } from '@roughmix/contracts/shared/visible-text.js';
import type { EmailContent } from '../mailer.js';
import { emailOf } from './email-layout.js';

/** A message from the contact form. Send it with `replyTo: message.reply_to`. */
export const contactEmail = (message: Omit<ContactMessageView, '_id' | 'dateAdded' | 'position'>): EmailContent =>
  emailOf({
    subject: 'Message from the contact form',
    paragraphs: ['Someone wrote to you with the contact form of Roughmix.'],
    facts: [
      ['First name', message.firstName],
      ['Last name', message.lastName],
      ...present('Full name', message.fullName),
      ['E-mail', message.reply_to],
      ...present('Company', message.company),
      ...present('Phone', message.phone),
      ['Wants news', message.subscribe ? 'yes' : 'no'],
    ],
    ...(showsNothing(message.message_content) ? {} : { quote: message.message_content }),
    footer: 'Replies to this e-mail go to the address above, which has not been verified.',
  });

export const inviteRequestEmail = ({ email }: { readonly email: string }): EmailContent =>
  emailOf({
    subject: 'Invite request',
    paragraphs: ['Someone asked for an invite to Roughmix.'],
    facts: [['E-mail', email]],
    footer: 'Accept or decline the request on the register page.',
  });

/** For the operator who checks that e-mails arrive. */
export const testEmail = (): EmailContent =>
  emailOf({
    subject: 'E-mail from Roughmix arrives',
    paragraphs: ['This e-mail was sent by the operator of a Roughmix server to check that its e-mails arrive.', 'They do. There is nothing to answer.'],
    footer: 'If you do not know this server, you can ignore this e-mail.',
  });

const present = (label: string, value: string): readonly (readonly [string, string])[] => (showsNothing(value) ? [] : [[label, value]]);
