import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { SendTestLetterBody } from '@roughmix/contracts/admin/admin.api.js';
import type { LetterSentAnswer, MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import { Letters } from '../platform/mail/letters.js';
import { sendTestEmail } from './test-email.js';

@Controller('api/admin/:key/mail')
@AdminKeyOnly()
export class MailController {
  constructor(private readonly letters: Letters) {}

  /** Waiting and undeliverable e-mails. */
  @Get()
  status(): Promise<MailStatus> {
    return this.letters.status();
  }

  /** Queues a test e-mail. */
  @Post()
  @HttpCode(202)
  async send(@Body() { to }: SendTestLetterBody): Promise<LetterSentAnswer> {
    return { letter: await sendTestEmail(this.letters, to) };
  }
}
