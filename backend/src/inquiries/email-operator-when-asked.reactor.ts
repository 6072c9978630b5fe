import { Inject, Injectable } from '@nestjs/common';
import type { InquiryEvents } from '@roughmix/contracts/inquiries/inquiry.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import type { Config } from '../platform/config/config.js';
import { EmailQueue, type NewEmail } from '../platform/mail/email-queue.js';
import { contactEmail, inviteRequestEmail } from '../platform/mail/templates/operator-emails.js';
import { CONFIG } from '../platform/tokens.js';
import { inquiryIn } from './inquiry.decider.js';
import { InquiryStreams } from './inquiry.streams.js';

type Content = Omit<NewEmail, 'to' | 'key'>;

/** Sends invite requests and contact messages to SUPPORT_EMAIL, if it is set. */
@Injectable()
export class EmailOperatorWhenAsked implements Reactor {
  readonly name = 'email-operator-when-asked';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set(['InviteRequested', 'ContactMessageSent']);

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'SUPPORT_EMAIL'>,
    private readonly streams: InquiryStreams,
    private readonly emailQueue: EmailQueue,
  ) {}

  async react(event: StoredEvent): Promise<void> {
    const { SUPPORT_EMAIL: to } = this.config;
    const { inquiryId, emailed } = event.data as Pick<InquiryEvents['InviteRequested'], 'inquiryId' | 'emailed'>;
    const about = await this.senderOf(inquiryId);
    if (to === null || !emailed || about === null) return;
    await this.emailQueue.enqueue({ ...contentOf(event), to, key: `inquiry-${event.id}` }, { about });
    // Deleted meanwhile: it must not live on in an e-mail.
    if ((await this.senderOf(inquiryId)) === null) await this.emailQueue.forget(null, about);
  }

  /** The address of an inquiry; null once it is deleted. */
  private async senderOf(inquiryId: Id): Promise<string | null> {
    const email = inquiryIn(await this.streams.state(), inquiryId)?.email ?? '';
    return email === '' ? null : email;
  }
}

function contentOf({ type, data }: StoredEvent): Content {
  if (type === 'InviteRequested') return inviteRequestEmail(data as InquiryEvents['InviteRequested']);
  const { replyTo, content, ...message } = data as InquiryEvents['ContactMessageSent'];
  return { ...contactEmail({ ...message, reply_to: replyTo, message_content: content }), replyTo };
}
