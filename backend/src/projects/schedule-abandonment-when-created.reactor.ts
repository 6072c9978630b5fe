import { Inject, Injectable } from '@nestjs/common';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { idInStream } from '../kernel/stream-name.js';
import type { Clock } from '../platform/clock.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { Timers } from '../platform/timers/timers.js';
import { CLOCK, EVENT_STORE } from '../platform/tokens.js';
import { ABANDONMENT_TIMERS, abandonmentOf } from './abandon-unfinished-project.timer.js';
import { UnfinishedProjects } from './unfinished-projects.queries.js';

const CREATED = 'ProjectCreated';

/** Sets the timer that abandons a project without a version, and cancels it once the project has one or is removed. */
@Injectable()
export class ScheduleAbandonmentWhenCreated implements Reactor {
  readonly name = 'schedule-abandonment-when-created';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set([CREATED, 'VersionAdded', 'ProjectRemoved']);

  constructor(
    private readonly timers: Timers,
    private readonly unfinished: UnfinishedProjects,
    private readonly readSide: ReadSide,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async react(event: StoredEvent): Promise<void> {
    const projectId = idInStream(event);
    const { meta, position } = event;
    if (event.type === CREATED) await this.timers.set(abandonmentOf({ projectId, createdAt: meta.at, position, now: this.clock() }));
    else await this.timers.cancel(ABANDONMENT_TIMERS, projectId);
  }

  /**
   * Sets the timers of projects created before this reactor first ran, or whose timers a restore lost (a vault is copied after its log). Uses the read
   * models' list of unfinished projects, which is cheaper than reading the whole log. @throws Refused `store.away` while they lag behind the log
   */
  async setMissing(): Promise<void> {
    await this.readSide.waitFor(await this.store.head());
    for await (const project of this.unfinished.all()) {
      const isTimed = (await this.timers.get(ABANDONMENT_TIMERS, project.projectId)) !== null;
      if (!isTimed) await this.timers.set(abandonmentOf({ ...project, now: this.clock() }));
    }
  }
}
