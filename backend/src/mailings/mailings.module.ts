import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { UsersModule } from '../users/users.module.js';
import { DigestNews } from './digest-news.js';
import { DigestTimers } from './digest-timers.js';
import { CountHeldMailings } from './count-held-mailings.timer.js';
import { ForgetMailingsWhenErased } from './forget-mailings-when-erased.reactor.js';
import { MailingHours } from './mailing-hours.js';
import { MailingReceivers } from './mailing-receivers.js';
import { EmailReminder } from './email-reminder.timer.js';
import { EmailReminderWhenFired } from './email-reminder-when-fired.reactor.js';
import { Mailings } from './mailings.js';
import { MailingsChores } from './mailings.chores.js';
import { ReminderPushes } from './reminder-pushes.js';
import { ScheduleDigestWhenSet } from './schedule-digest-when-set.reactor.js';
import { SendDigest } from './send-digest.timer.js';
import { UnsubscribeController } from './unsubscribe.controller.js';
import { UnsubscribeTokens } from './unsubscribe-tokens.js';
import { Unsubscriptions } from './unsubscriptions.js';

const background = [MailingsChores, ScheduleDigestWhenSet, SendDigest, EmailReminderWhenFired, EmailReminder, CountHeldMailings, ForgetMailingsWhenErased];

@Module({
  imports: [UsersModule],
  controllers: [UnsubscribeController],
  providers: [UnsubscribeTokens, Unsubscriptions, MailingReceivers, MailingHours, Mailings, DigestNews, DigestTimers, ReminderPushes, ...background],
})
export class MailingsModule {}

export const parts: SliceParts = {
  module: MailingsModule,
  reactors: [ScheduleDigestWhenSet, EmailReminderWhenFired, ForgetMailingsWhenErased],
  timers: [SendDigest, EmailReminder, CountHeldMailings],
  chores: [MailingsChores],
};
