import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../tokens.js';
import { within } from './deadline.js';
import { StoreProbes, type StoreStates } from './store-probes.js';
import { type BehindSeconds, RoleStatus, type RoleState } from './role-status.js';

type ProjectionStates = Awaited<ReturnType<RoleStatus['projections']>>;
type TimerStates = Awaited<ReturnType<RoleStatus['timers']>>;
type ReactorStates = Awaited<ReturnType<RoleStatus['reactors']>>;

/** Room on the disk that holds the data, in octets. */
export interface DiskReport {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** Less than 500 MB are left: a warning, nothing is refused for it. */
  readonly isLow: boolean;
}

/** What `/health/ready` says. Lag counts positions: events in the embedded log, octets in EventStoreDB. What could not be learned in time is missing from its list, or null. */
export interface ReadinessReport {
  /** `closing`: the process is ending. `not-writable`: a store takes no writes. `catching-up`: no read models of this version are served, or they have not come to where the log ended when this process began. */
  readonly status: 'ready' | 'catching-up' | 'not-writable' | 'closing';
  readonly stores: StoreStates;
  readonly projections: ProjectionStates;
  readonly reactors: Readonly<Record<string, number>>;
  /** How long ago the oldest event happened that one has not handled, in seconds, by the clocks of the processes that wrote it and of this one; 0 without any. */
  readonly behindSeconds: BehindSeconds;
  readonly works: Readonly<Record<'projector' | 'reactor', RoleState>> | null;
  /** How many events each reactor has given up on. */
  readonly parkedReactions: Readonly<Record<string, number>>;
  /** Of each kind of timers: how late the oldest due one is, in seconds, and how many are parked. */
  readonly timers: TimerStates;
  readonly disk: DiskReport | null;
}

const LOW_BYTES = 500_000_000;
/** How long a list may take, in milliseconds: whoever asks waits no longer than two seconds for everything. */
const DEADLINE_MS = 2_000;

/** Whether requests can be served. Read models must once have come to where the log ended when this process began; later lag is told, not refused. */
@Injectable()
export class Readiness {
  private isClosing = false;

  constructor(
    private readonly stores: StoreProbes,
    @Inject(CONFIG) private readonly config: Pick<Config, 'DATA_DIR'>,
    private readonly roles: RoleStatus,
  ) {}

  /** From now on the answer is `closing`, and load balancers send requests elsewhere. */
  close(): void {
    this.isClosing = true;
  }

  /** Answers within about two seconds, whatever the stores do. */
  async report(): Promise<ReadinessReport> {
    const { roles } = this;
    const [stores, projections, reactors, timers, held, disk] = await Promise.all([
      this.stores.states(),
      known<ProjectionStates>(roles.projections(), []),
      known<ReactorStates>(roles.reactors(), []),
      known<TimerStates>(roles.timers(), {}),
      known<ReadinessReport['works']>(roles.held(), null),
      known<DiskReport | null>(this.disk(), null),
    ]);
    const behindSeconds = await known(roles.behind(projections, reactors), { projections: {}, reactors: {} });
    const isCaughtUp = await known(roles.isCaughtUp(), false);
    return {
      status: this.statusOf(stores, isCaughtUp),
      stores,
      projections,
      reactors: Object.fromEntries(reactors.map(({ reactor, lag }) => [reactor, lag])),
      behindSeconds,
      works: held,
      parkedReactions: Object.fromEntries(reactors.map(({ reactor, parked }) => [reactor, parked.length])),
      timers,
      disk,
    };
  }

  private statusOf(stores: StoreStates, isCaughtUp: boolean): ReadinessReport['status'] {
    if (this.isClosing) return 'closing';
    // The files' store is told and not counted: sending everybody elsewhere would bring no files back, and take the rest away.
    if ([stores.log, stores.vault, stores.documents].some((state) => state !== 'ok')) return 'not-writable';
    return isCaughtUp ? 'ready' : 'catching-up';
  }

  private async disk(): Promise<DiskReport> {
    const { bavail, blocks, bsize } = await statfs(this.config.DATA_DIR);
    const freeBytes = bavail * bsize;
    return { freeBytes, sizeBytes: blocks * bsize, isLow: freeBytes < LOW_BYTES };
  }
}

/** What could not be learned in time, or at all, is not there: that the stores are away is told by their probes. */
const known = <Value>(asked: Promise<Value>, missing: Value): Promise<Value> => within(DEADLINE_MS, asked).catch(() => missing);
