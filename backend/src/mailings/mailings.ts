import { Inject, Injectable } from '@nestjs/common';
import type { Mailing } from '@roughmix/contracts/mailings/mailing.js';
import { MAILING_PATHS } from '@roughmix/contracts/mailings/mailing.paths.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Config } from '../platform/config/config.js';
import { publicUrlOf } from '../platform/http/origin.js';
import { EmailQueue, type NewEmail } from '../platform/mail/email-queue.js';
import type { EmailContent } from '../platform/mail/mailer.js';
import { ErasureRegister } from '../platform/personal-data/erasure-register.js';
import { CONFIG } from '../platform/tokens.js';
import { EmailReceiversQueries } from '../users/email-receivers.queries.js';
import { UnsubscribeTokens } from './unsubscribe-tokens.js';

/** An e-mail of a kind that its receiver can turn off. */
export interface MailingEmail {
  readonly uid: Uid;
  readonly mailing: Mailing;
  /** Whose action caused it: people take turns in the delivery of mailings. */
  readonly causedBy: Uid;
  /** Others whom it names or quotes: it is deleted with each of them. */
  readonly names: readonly Uid[];
  /** Another e-mail with the same key is not sent. */
  readonly key: string;
  /** @param urlOf the URL of a path @param unsubscribe the URL of the page that turns it off */
  readonly compose: (urlOf: (path: string) => string, unsubscribe: string) => EmailContent & Pick<NewEmail, 'reminder'>;
}

/** Queues the e-mails that users can turn off, with the links that do. */
@Injectable()
export class Mailings {
  @Inject() private readonly erasures: ErasureRegister;

  constructor(
    private readonly emailQueue: EmailQueue,
    private readonly tokens: UnsubscribeTokens,
    private readonly receivers: EmailReceiversQueries,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL' | 'PORT'>,
  ) {}

  /** Does nothing for a user without an address: the guest, or someone who is being erased. */
  async send({ uid, mailing, causedBy, names, key, compose }: MailingEmail): Promise<void> {
    const receiver = await this.receivers.of(uid);
    if (receiver === null) return;
    const { email: to } = receiver;
    const urlOf = (path: string): string => `${publicUrlOf(this.config)}${path}`;
    const token = this.tokens.issue({ uid, mailing });
    const content = compose(urlOf, urlOf(MAILING_PATHS.page(token)));
    const email = { ...content, to, key, unsubscribe: urlOf(MAILING_PATHS.unsubscribe(token)) };
    const id = await this.emailQueue.enqueue(email, { uid, causedBy, names });
    // Erased meanwhile: nothing of them must live on in an e-mail.
    if ((await this.receivers.of(uid)) === null) await this.emailQueue.forget(uid, to);
    for (const name of names) if (await this.erasures.has(name)) await this.emailQueue.discard(id);
  }
}
