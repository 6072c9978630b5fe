import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Config } from '../config/config.js';
import { publicUrlOf } from '../http/origin.js';
import { EmailQueue } from '../mail/email-queue.js';
import { resetEmail } from '../mail/templates/account-emails.js';
import { CONFIG } from '../tokens.js';
import { LinkTokens } from './link-tokens.js';

const LINK = { validMs: 60 * 60_000, perHour: 3 };

/** Links that let a user choose a new password, once. */
@Injectable()
export class ResetLinks {
  constructor(
    private readonly links: LinkTokens,
    private readonly emailQueue: EmailQueue,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL' | 'PORT' | 'PASSWORD_RESET_DISCREET'>,
  ) {}

  /** Whether answers hide who has an account. */
  get isDiscreet(): boolean {
    return this.config.PASSWORD_RESET_DISCREET === 'true';
  }

  /**
   * Queues an e-mail with a new link, which replaces the earlier one. After three e-mails in an hour, and without a receiver, it only takes as long.
   * @throws EmailRefused
   */
  async send(receiver: { readonly uid: Uid; readonly email: string } | null): Promise<void> {
    const issued = receiver === null ? null : await this.links.issue('reset', receiver.uid, LINK);
    if (receiver === null || issued === null) return this.links.issueNone('reset');
    const { token, expiresAt, emailKey } = issued;
    const link = `${publicUrlOf(this.config)}/passwordReset/${token}`;
    await this.emailQueue.enqueue({ ...resetEmail({ link }), to: receiver.email, key: emailKey, expiresAt }, { uid: receiver.uid });
  }
}
