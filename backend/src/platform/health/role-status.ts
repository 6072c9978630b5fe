import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { LeaseState, ProjectionStatus, ReactorStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import type { EventStore } from '../event-store/event-store.js';
import { ProjectorRole } from '../projections/projector-role.js';
import { ReactorRole, type TimersHealth } from '../reactors/reactor-role.js';
import { CLOCK, EVENT_STORE } from '../tokens.js';
import { secondsBehind } from './seconds-behind.js';

/** The state of a role that one process at a time performs. */
export interface RoleState {
  /** Whether this process performs it. */
  readonly here: boolean;
  /** The process that holds the lease, null when none does; absent where a single process does everything. */
  readonly heldBy?: LeaseState | null;
}

/** By projector, and by reactor. */
export interface BehindSeconds {
  readonly projections: Readonly<Record<string, number>>;
  readonly reactors: Readonly<Record<string, number>>;
}

/** The progress of the projector and reactor roles, in this process or in another. */
@Injectable()
export class RoleStatus implements OnApplicationBootstrap {
  /** The end of the log when this process started, or when it could first be read. */
  private firstHead: Position | null = null;
  private hasCaughtUp = false;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly projector: ProjectorRole,
    private readonly reactor: ReactorRole,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // If the log is unavailable, it is read again at the next request.
    await this.isCaughtUp().catch(() => false);
  }

  projections(): Promise<readonly ProjectionStatus[]> {
    return this.projector.status();
  }

  reactors(): Promise<readonly ReactorStatus[]> {
    return this.reactor.status();
  }

  timers(): Promise<Readonly<Record<string, TimersHealth>>> {
    return this.reactor.timersHealth();
  }

  failingChores(): Readonly<Record<string, number>> {
    return this.reactor.failingChores();
  }

  /** Whether read models of this program's versions are served, and have once reached the log's end as of this process's start. */
  async isCaughtUp(): Promise<boolean> {
    const { isServed, saved } = this.projector.readSide;
    if (this.hasCaughtUp) return isServed;
    this.firstHead ??= await this.store.head();
    this.hasCaughtUp = isServed && saved.position >= this.firstHead;
    return this.hasCaughtUp;
  }

  async states(): Promise<Readonly<Record<'projector' | 'reactor', RoleState>>> {
    const [projector, reactor] = await Promise.all([this.projector.heldBy(), this.reactor.heldBy()]);
    return { projector: roleState(this.projector.isBuilding(), projector), reactor: roleState(this.reactor.isReacting(), reactor) };
  }

  async behind(projections: readonly ProjectionStatus[], reactors: readonly ReactorStatus[]): Promise<BehindSeconds> {
    const seconds = await secondsBehind(this.store, this.clock(), [...projections, ...reactors]);
    return {
      projections: Object.fromEntries(projections.map((each) => [each.projector, seconds(each)])),
      reactors: Object.fromEntries(reactors.map((each) => [each.reactor, seconds(each)])),
    };
  }
}

const roleState = (here: boolean, heldBy: LeaseState | null | undefined): RoleState => (heldBy === undefined ? { here } : { here, heldBy });
