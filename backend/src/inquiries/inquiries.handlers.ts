import { setTimeout as pause } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { type FailureCounter, Throttle } from '../platform/auth/throttle.js';
import type { Clock } from '../platform/clock.js';
import { emailFrom } from '../platform/email-address.js';
import { CommandAnswer } from '../platform/http/command-answer.js';
import { idFrom, newId } from '../platform/ids.js';
import { CLOCK } from '../platform/tokens.js';
import { InvitedAccounts } from '../users/invited-accounts.streams.js';
import { inviteRequestIn } from './inquiry.decider.js';
import { InquiryStreams } from './inquiry.streams.js';
import { type Accepted, AcceptInviteRequest, DeclineInviteRequest, RequestInvite, SendContactMessage } from './inquiries.commands.js';

/** No invite request is answered sooner: a repeated one, which is not recorded, takes as long as a new one. */
const INVITE_REQUEST_MS = 250;

/** @throws Refused `email.invalid` */
function requireEmail(text: string, field: string): string {
  const email = emailFrom(text);
  if (email === null) throw new Refused('email.invalid', { field });
  return email;
}

/** Counts a request that succeeds. @throws Throttled */
async function counted(throttle: Throttle, counters: readonly FailureCounter[], work: () => Promise<unknown>): Promise<void> {
  const attempt = await throttle.attempt(counters);
  try {
    await work();
  } catch (error) {
    await attempt.refund();
    throw error;
  }
}

@CommandHandler(RequestInvite)
export class RequestInviteHandler implements ICommandHandler<RequestInvite> {
  constructor(
    private readonly streams: InquiryStreams,
    private readonly throttle: Throttle,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ body, address }: RequestInvite): Promise<void> {
    const email = requireEmail(body.email, 'email');
    const request = { type: 'RequestInvite', data: { inquiryId: newId(), email, at: this.clock() } } as const;
    await Promise.all([counted(this.throttle, this.throttle.inviteRequestsOfAddress(address), () => this.streams.record(request)), pause(INVITE_REQUEST_MS)]);
  }
}

@CommandHandler(SendContactMessage)
export class SendContactMessageHandler implements ICommandHandler<SendContactMessage> {
  constructor(
    private readonly streams: InquiryStreams,
    private readonly throttle: Throttle,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ body, address }: SendContactMessage): Promise<void> {
    const { firstName, lastName, fullName = '', company = '', phone = '', subscribe = false, message_content: content = '' } = body;
    const replyTo = requireEmail(body.reply_to, 'reply_to');
    const message = { firstName, lastName, fullName, company, phone, replyTo, subscribe, content };
    const data = { inquiryId: newId(), message, at: this.clock() };
    await counted(this.throttle, this.throttle.contactMessagesOfAddress(address), () => this.streams.record({ type: 'SendContactMessage', data }));
  }
}

@CommandHandler(DeclineInviteRequest)
export class DeclineInviteRequestHandler implements ICommandHandler<DeclineInviteRequest> {
  constructor(private readonly streams: InquiryStreams) {}

  async execute({ inquiryId, context }: DeclineInviteRequest): Promise<CommandAnswer<undefined>> {
    const { position, replayed } = await this.streams.run(context, { type: 'DeclineInviteRequest', data: { inquiryId } });
    return new CommandAnswer(undefined, position, replayed);
  }
}

/** Each step may be repeated, so accepting again completes what a crash interrupted: the uid follows from the request. */
@CommandHandler(AcceptInviteRequest)
export class AcceptInviteRequestHandler implements ICommandHandler<AcceptInviteRequest> {
  constructor(
    private readonly streams: InquiryStreams,
    private readonly accounts: InvitedAccounts,
  ) {}

  async execute({ inquiryId }: AcceptInviteRequest): Promise<Accepted> {
    const request = inviteRequestIn(await this.streams.state(), inquiryId);
    if (request === undefined || request.email === '') throw new Refused('inviteRequest.not-found');
    const uid = request.uid ?? idFrom('invited', inquiryId);
    if (request.state !== 'accepted') await this.accounts.create(uid, request.email);
    // The stream decides which of several at once is the first.
    const isFirst = request.state !== 'accepted' && (await this.recordAccepted(inquiryId, uid));
    return { user: await this.accounts.invite(uid), isRepeat: !isFirst };
  }

  /** @returns whether it was not accepted before */
  private async recordAccepted(inquiryId: Id, uid: Uid): Promise<boolean> {
    try {
      const { events } = await this.streams.record({ type: 'AcceptInviteRequest', data: { inquiryId, uid } });
      return events.length > 0;
    } catch (error) {
      // The data of its address was erased in the meantime.
      if (error instanceof Refused && error.code === 'inviteRequest.not-found') await this.accounts.discard(uid);
      throw error;
    }
  }
}

export const inquiryHandlers = [RequestInviteHandler, SendContactMessageHandler, DeclineInviteRequestHandler, AcceptInviteRequestHandler];
