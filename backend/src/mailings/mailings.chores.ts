import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { Chore } from '../platform/reactors/chores.js';
import type { ChoreSource } from '../platform/slice.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { EmailReceiversQueries } from '../users/email-receivers.queries.js';
import { UsersQueries } from '../users/users.queries.js';
import { DigestTimers } from './digest-timers.js';

/** Sets the digests that a restore lost, or that were turned on before there were digests, and moves them when their users travel. */
@Injectable()
export class MailingsChores implements ChoreSource, OnModuleInit, OnModuleDestroy {
  private forget: () => void = () => undefined;

  constructor(
    private readonly timers: DigestTimers,
    private readonly users: UsersQueries,
    private readonly receivers: EmailReceiversQueries,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.forget = this.receivers.onZoneChanged((uid) => this.timers.move(uid));
  }

  onModuleDestroy(): void {
    this.forget();
  }

  chores(): readonly Chore[] {
    return [{ name: 'digests', when: 'start', run: () => this.setMissing() }];
  }

  /** A digest that was lost begins now. */
  private async setMissing(): Promise<void> {
    const head = await this.store.head();
    for await (const uid of this.users.wantingDigest()) await this.timers.begin(uid, head);
  }
}
