import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type InquiryEvent, SITE_STREAM } from '@roughmix/contracts/inquiries/inquiry.events.js';
import { SYSTEM } from '../kernel/decider.js';
import type { Clock } from '../platform/clock.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { BoundStream } from '../platform/streams/bound-stream.js';
import { type CommandContext, type Executed, Streams } from '../platform/streams/streams.js';
import { CLOCK } from '../platform/tokens.js';
import { CONTACT_MESSAGES, INVITE_REQUESTS } from './inquiries.documents.js';
import { type InquiryCommand, inquiryDecider, type SiteState } from './inquiry.decider.js';

/** The only writer of the stream `site`, and its current state. */
@Injectable()
export class InquiryStreams {
  private readonly bound: BoundStream<SiteState, InquiryCommand, InquiryEvent>;

  constructor(
    streams: Streams,
    readSide: ReadSide,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const collections = [INVITE_REQUESTS, CONTACT_MESSAGES];
    this.bound = new BoundStream({ decider: inquiryDecider, stream: () => SITE_STREAM, collections }, streams, readSide);
  }

  /** Records what someone without an account sent, or a step of the program. Lagging read models do not fail it. */
  record(command: InquiryCommand): Promise<Executed<InquiryEvent>> {
    return this.bound.record(this.systemContext(), SITE_STREAM, command);
  }

  /** Runs a command of the operator. @param context null with the admin key, which identifies no person */
  run(context: CommandContext | null, command: InquiryCommand): Promise<Executed<InquiryEvent>> {
    return this.bound.run(context ?? this.systemContext(), SITE_STREAM, command);
  }

  /** Deletes inquiries from every read model. */
  async delete(inquiryIds: readonly string[]): Promise<void> {
    await this.bound.runEverywhere(this.systemContext(), SITE_STREAM, { type: 'DeleteInquiries', data: { inquiryIds } });
  }

  state(): Promise<Readonly<SiteState>> {
    return this.bound.state(SITE_STREAM);
  }

  private systemContext(): CommandContext {
    const commandId = randomUUID();
    return { actor: SYSTEM, at: this.clock(), commandId, correlationId: commandId, causationId: null };
  }
}
