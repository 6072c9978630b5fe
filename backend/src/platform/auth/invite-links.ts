import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Config } from '../config/config.js';
import { publicUrlOf } from '../http/origin.js';
import { EmailQueue } from '../mail/email-queue.js';
import { inviteEmail } from '../mail/templates/account-emails.js';
import { CONFIG } from '../tokens.js';
import { LinkTokens } from './link-tokens.js';

const VALID_MS = 7 * 24 * 60 * 60_000;

/** Links that sign an invited user in until they have chosen a password. */
@Injectable()
export class InviteLinks {
  constructor(
    private readonly links: LinkTokens,
    private readonly emailQueue: EmailQueue,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL' | 'PORT'>,
  ) {}

  /** Queues an e-mail with a new link, which replaces the earlier one and is valid for 7 days. @throws EmailRefused */
  async send(uid: Uid, to: string): Promise<void> {
    const issued = await this.links.issue('invite', uid, { validMs: VALID_MS });
    if (issued === null) return;
    const { token, expiresAt, emailKey } = issued;
    const link = `${publicUrlOf(this.config)}/invite/${token}`;
    await this.emailQueue.enqueue({ ...inviteEmail({ link }), to, key: emailKey, expiresAt }, { uid });
  }
}
