import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ReplayReactionsBody, RewindReactorBody } from '@roughmix/contracts/admin/admin.api.js';
import type { ReactorsAnswer, Replayed, Rewound } from '@roughmix/contracts/admin/admin.view.js';
import { Refused } from '../kernel/refusal.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import { PUBLISH_TO_KAFKA } from '../platform/stream-out/publish-to-kafka.js';
import { ReactorRole } from '../platform/reactors/reactor-role.js';

@Controller('api/admin/:key/reactors')
@AdminKeyOnly()
export class ReactorsController {
  constructor(private readonly reactors: ReactorRole) {}

  /** The progress of every reactor, pending timers, and parked reactions and timers. */
  @Get()
  async status(): Promise<ReactorsAnswer> {
    const [reactors, timers, heldBy] = await Promise.all([this.reactors.status(), this.reactors.timersStatus(), this.reactors.heldBy()]);
    return { reactors, timers, ...(heldBy === undefined ? {} : { heldBy }) };
  }

  /** Retries parked reactions in log order; makes parked timers of a kind due again. */
  @Post(':reactor/replay')
  @HttpCode(200)
  async replay(@Param('reactor') reactor: string, @Body() { position }: ReplayReactionsBody): Promise<Replayed> {
    const replayed = await this.reactors.replay(reactor, position);
    if (replayed === null) throw new Refused('reactor.not-found');
    return replayed;
  }

  /** Publishes again from a position on. */
  @Post(':reactor/rewind')
  @HttpCode(200)
  async rewind(@Param('reactor') reactor: string, @Body() { to }: RewindReactorBody): Promise<Rewound> {
    const rewound = await this.reactors.rewind(reactor, to);
    if (rewound === null) throw new Refused(reactor === PUBLISH_TO_KAFKA ? 'publishing.off' : 'reactor.not-found');
    return rewound;
  }
}
