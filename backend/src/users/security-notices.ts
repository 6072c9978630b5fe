import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { publicUrlOf } from '../platform/http/origin.js';
import { newId } from '../platform/ids.js';
import { EmailQueue } from '../platform/mail/email-queue.js';
import type { EmailContent } from '../platform/mail/mailer.js';
import { newDeviceEmail, type NewSignIn, passwordChangedEmail, type SecurityEvent } from '../platform/mail/templates/account-emails.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { Accounts } from './accounts.js';

/** E-mails that tell users about changes they may not have made themselves, in their own time zone. */
@Injectable()
export class SecurityNotices {
  constructor(
    private readonly accounts: Accounts,
    private readonly emailQueue: EmailQueue,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL' | 'PORT'>,
  ) {}

  async passwordChanged(uid: Uid): Promise<void> {
    await this.send(uid, passwordChangedEmail);
  }

  async newDevice(uid: Uid, signIn: NewSignIn): Promise<void> {
    await this.send(uid, (event) => newDeviceEmail({ ...signIn, ...event }));
  }

  private async send(uid: Uid, compose: (event: SecurityEvent) => EmailContent): Promise<void> {
    const account = await this.accounts.get(uid);
    if (account === null || account.body.state === 'erasing') return;
    const { email, zone } = account.body;
    const resetLink = `${publicUrlOf(this.config)}/passwordReset`;
    await this.emailQueue.enqueue({ ...compose({ at: this.clock(), zone, resetLink }), to: email, key: `notice-${newId()}` }, { uid });
  }
}
