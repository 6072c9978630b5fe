import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { SendTestEmailBody } from '@roughmix/contracts/admin/admin.api.js';
import type { EmailQueuedAnswer, MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import { EmailQueue } from '../platform/mail/email-queue.js';
import { sendTestEmail } from './test-email.js';

@Controller('api/admin/:key/mail')
@AdminKeyOnly()
export class MailController {
  constructor(private readonly emailQueue: EmailQueue) {}

  /** Waiting and undeliverable e-mails. */
  @Get()
  status(): Promise<MailStatus> {
    return this.emailQueue.status();
  }

  /** Queues a test e-mail. */
  @Post()
  @HttpCode(202)
  async send(@Body() { to }: SendTestEmailBody): Promise<EmailQueuedAnswer> {
    return { letter: await sendTestEmail(this.emailQueue, to) };
  }
}
