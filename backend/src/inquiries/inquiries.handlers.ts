import { setTimeout as pause } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refused } from '../kernel/refusal.js';
import { type FailureCounter, Throttle } from '../platform/auth/throttle.js';
import type { Clock } from '../platform/clock.js';
import { emailFrom } from '../platform/email-address.js';
import { newId } from '../platform/ids.js';
import { CLOCK } from '../platform/tokens.js';
import { InquiryStreams } from './inquiry.streams.js';
import { DeclineInviteRequest, RequestInvite, SendContactMessage } from './inquiries.commands.js';

/** No invite request is answered sooner: a repeated one, which is not recorded, takes as long as a new one. */
const INVITE_REQUEST_MS = 250;

/** @throws Refused `email.invalid` */
function requireEmail(text: string, field: string): string {
  const email = emailFrom(text);
  if (email === null) throw new Refused('email.invalid', { field });
  return email;
}

/** Counts a request that succeeds. @throws Throttled */
async function counted(throttle: Throttle, counter: FailureCounter, work: () => Promise<void>): Promise<void> {
  const attempt = await throttle.attempt([counter]);
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

  async execute({ inquiryId, context }: DeclineInviteRequest): Promise<void> {
    const command = { type: 'DeclineInviteRequest', data: { inquiryId } } as const;
    await (context === null ? this.streams.record(command) : this.streams.run(context, command));
  }
}

export const inquiryHandlers = [RequestInviteHandler, SendContactMessageHandler, DeclineInviteRequestHandler];
