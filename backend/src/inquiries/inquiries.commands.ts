import { Command } from '@nestjs/cqrs';
import type { ContactBody, InviteRequestBody } from '@roughmix/contracts/inquiries/inquiry.api.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

/** @param address the client's network address, which is throttled */
export class RequestInvite extends Command<void> {
  constructor(
    readonly body: InviteRequestBody,
    readonly address: string,
  ) {
    super();
  }
}

/** @param address the client's network address, which is throttled */
export class SendContactMessage extends Command<void> {
  constructor(
    readonly body: ContactBody,
    readonly address: string,
  ) {
    super();
  }
}

export class DeclineInviteRequest extends Command<CommandAnswer<undefined>> {
  /** @param context null with the admin key, which names no user */
  constructor(
    readonly context: CommandContext | null,
    readonly inquiryId: Id,
  ) {
    super();
  }
}

/** An accepted request: its account, and whether it was accepted before. */
export interface Accepted {
  readonly user: SelfView;
  readonly isRepeat: boolean;
}

/** With the admin key. */
export class AcceptInviteRequest extends Command<Accepted> {
  constructor(readonly inquiryId: Id) {
    super();
  }
}
