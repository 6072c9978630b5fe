import { Injectable } from '@nestjs/common';
import type { Mailing } from '@roughmix/contracts/mailings/mailing.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { type EmailReceiver, EmailReceiversQueries } from '../users/email-receivers.queries.js';
import { UserStreams } from '../users/user.streams.js';

/** Who gets which kind of e-mail. */
@Injectable()
export class MailingReceivers {
  constructor(
    private readonly receivers: EmailReceiversQueries,
    private readonly users: UserStreams,
  ) {}

  /** A user who gets a kind of e-mail, by the settings of now; null for one who turned it off, or is erased or the guest. */
  async of(uid: Uid, mailing: Mailing): Promise<EmailReceiver | null> {
    const [receiver, person] = await Promise.all([this.receivers.of(uid), this.users.person(uid)]);
    return person?.settings.mailNotifs[mailing] === true ? receiver : null;
  }
}
