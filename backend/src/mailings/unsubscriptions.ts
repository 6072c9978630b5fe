import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import { CLOCK } from '../platform/tokens.js';
import { EmailReceiversQueries } from '../users/email-receivers.queries.js';
import { UserStreams } from '../users/user.streams.js';
import { type Subscription, UnsubscribeTokens } from './unsubscribe-tokens.js';

/** Turns kinds of e-mail off for the holders of their tokens. */
@Injectable()
export class Unsubscriptions {
  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly receivers: EmailReceiversQueries,
    private readonly users: UserStreams,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** What a token is for. @throws Refused `mail.unknown-token`, also once its user is erased */
  async require(token: string): Promise<Subscription> {
    const subscription = this.tokens.read(token);
    if (subscription === null || (await this.receivers.of(subscription.uid)) === null) throw new Refused('mail.unknown-token');
    return subscription;
  }

  /** Changes the setting as the user would; does nothing if it is off already. @throws Refused `mail.unknown-token` */
  async turnOff(token: string): Promise<void> {
    const { uid, mailing } = await this.require(token);
    const commandId = randomUUID();
    const context = { actor: { uid }, at: this.clock(), commandId, correlationId: commandId, causationId: null };
    const settings = { mailNotifs: { [mailing]: false } };
    await this.users.run(context, uid, { type: 'EditUser', data: { names: {}, info: {}, settings, completesProfile: false, at: context.at } });
  }
}
