import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { UsersModule } from '../users/users.module.js';
import { DigestTimers } from './digest-timers.js';
import { MailingReceivers } from './mailing-receivers.js';
import { Mailings } from './mailings.js';
import { MailingsChores } from './mailings.chores.js';
import { ScheduleDigestWhenSet } from './schedule-digest-when-set.reactor.js';
import { SendDigest } from './send-digest.timer.js';
import { UnsubscribeController } from './unsubscribe.controller.js';
import { UnsubscribeTokens } from './unsubscribe-tokens.js';
import { Unsubscriptions } from './unsubscriptions.js';

@Module({
  imports: [UsersModule],
  controllers: [UnsubscribeController],
  providers: [UnsubscribeTokens, Unsubscriptions, MailingReceivers, Mailings, DigestTimers, MailingsChores, ScheduleDigestWhenSet, SendDigest],
})
export class MailingsModule {}

export const parts: SliceParts = {
  module: MailingsModule,
  reactors: [ScheduleDigestWhenSet],
  timers: [SendDigest],
  chores: [MailingsChores],
};
