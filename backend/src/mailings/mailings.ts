import { Inject, Injectable } from '@nestjs/common';
import type { Mailing } from '@roughmix/contracts/mailings/mailing.js';
import { MAILING_PATHS } from '@roughmix/contracts/mailings/mailing.paths.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Config } from '../platform/config/config.js';
import { publicUrlOf } from '../platform/http/origin.js';
import { EmailQueue, type NewEmail } from '../platform/mail/email-queue.js';
import type { EmailContent } from '../platform/mail/mailer.js';
import { CONFIG } from '../platform/tokens.js';
import { EmailReceiversQueries } from '../users/email-receivers.queries.js';
import { UnsubscribeTokens } from './unsubscribe-tokens.js';

/** An e-mail of a kind that its receiver can turn off. */
export interface MailingEmail {
  readonly uid: Uid;
  readonly mailing: Mailing;
  /** Whose action caused it: people take turns in the delivery of mailings. */
  readonly causedBy: Uid;
  /** Another e-mail with the same key is not sent. */
  readonly key: string;
  /** @param urlOf the URL of a path @param unsubscribe the URL of the page that turns it off */
  readonly compose: (urlOf: (path: string) => string, unsubscribe: string) => EmailContent & Pick<NewEmail, 'reminder'>;
}

/** Queues the e-mails that users can turn off, with the links that do. */
@Injectable()
export class Mailings {
  constructor(
    private readonly emailQueue: EmailQueue,
    private readonly tokens: UnsubscribeTokens,
    private readonly receivers: EmailReceiversQueries,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL' | 'PORT'>,
  ) {}

  /** Does nothing for a user without an address: the guest, or someone who is being erased. */
  async send({ uid, mailing, causedBy, key, compose }: MailingEmail): Promise<void> {
    const receiver = await this.receivers.of(uid);
    if (receiver === null) return;
    const { email: to } = receiver;
    const urlOf = (path: string): string => `${publicUrlOf(this.config)}${path}`;
    const token = this.tokens.issue({ uid, mailing });
    const content = compose(urlOf, urlOf(MAILING_PATHS.page(token)));
    await this.emailQueue.enqueue({ ...content, to, key, unsubscribe: urlOf(MAILING_PATHS.unsubscribe(token)) }, { uid, causedBy });
    // Erased meanwhile: nothing of them must live on in an e-mail.
    if ((await this.receivers.of(uid)) === null) await this.emailQueue.forget(uid, to);
  }
}
