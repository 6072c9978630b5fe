import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import type { Chore } from '../platform/reactors/chores.js';
import type { ChoreSource } from '../platform/slice.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { InquiryErasure } from './inquiry-erasure.streams.js';

const DAY_MS = 24 * 60 * 60_000;

/** Deletes invite requests and contact messages after INQUIRY_DAYS. */
@Injectable()
export class InquiriesChores implements ChoreSource {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'INQUIRY_DAYS'>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly erasure: InquiryErasure,
  ) {}

  chores(): readonly Chore[] {
    const run = (): Promise<void> => this.erasure.deleteUntil(this.clock() - this.config.INQUIRY_DAYS * DAY_MS);
    return [{ name: 'old inquiries', when: 'start and hourly', run }];
  }
}
