import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { SendTestLetterBody } from '@roughmix/contracts/admin/admin.api.js';
import type { LetterSentAnswer, MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import { Letters } from '../platform/mail/letters.js';
import { sendTestLetter } from './test-letter.js';

@Controller('api/admin/:key/mail')
@AdminKeyOnly()
export class MailController {
  constructor(private readonly letters: Letters) {}

  /** What waits to be delivered, and what could not be. */
  @Get()
  status(): Promise<MailStatus> {
    return this.letters.status();
  }

  /** Puts a letter on its way that shows whether letters arrive. */
  @Post()
  @HttpCode(202)
  async send(@Body() { to }: SendTestLetterBody): Promise<LetterSentAnswer> {
    return { letter: await sendTestLetter(this.letters, to) };
  }
}
