import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InquiryStreams } from '../inquiries/inquiry.streams.js';
import type { Chore } from '../platform/reactors/chores.js';
import { ReactorRole } from '../platform/reactors/reactor-role.js';
import type { ChoreSource } from '../platform/slice.js';

/** Records once that the site has notifications: news from before counts as read. */
@Injectable()
export class StartNotifications implements OnApplicationBootstrap, ChoreSource {
  constructor(
    private readonly site: InquiryStreams,
    private readonly reactors: ReactorRole,
  ) {}

  /** Before the first request, unless another process does it. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.reactors.isAlone) await this.record();
  }

  chores(): readonly Chore[] {
    return this.reactors.isAlone ? [] : [{ name: 'the start of notifications', when: 'start', run: () => this.record() }];
  }

  private async record(): Promise<void> {
    await this.site.record({ type: 'StartNotifications', data: {} });
  }
}
