import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../tokens.js';
import { BUILD, type Build } from '../version.js';
import { reserveOf } from '../uploads/disk-reserve.js';
import { within } from './deadline.js';
import { StoreProbes, type StoreStates } from './store-probes.js';
import { type BehindSeconds, RoleStatus, type RoleState } from './role-status.js';

type ProjectionStates = Awaited<ReturnType<RoleStatus['projections']>>;
type TimerStates = Awaited<ReturnType<RoleStatus['timers']>>;
type ReactorStates = Awaited<ReturnType<RoleStatus['reactors']>>;

/** Space on the disk that holds the data. */
export interface DiskReport {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** Less than 500 MB are free besides DISK_RESERVE, so files will be refused soon, or are already. */
  readonly isLow: boolean;
}

/** The answer of `/health/ready`. Lag counts positions: events in the embedded log, bytes in EventStoreDB. Values that could not be read in time are absent or null. */
export interface ReadinessReport extends Build {
  /**
   * `closing`: the process is ending. `not-writable`: a store accepts no writes. `catching-up`: no read models of this version are served, or they have not
   * reached the end that the log had when this process started.
   */
  readonly status: 'ready' | 'catching-up' | 'not-writable' | 'closing';
  readonly stores: StoreStates;
  readonly projections: ProjectionStates;
  readonly reactors: Readonly<Record<string, number>>;
  /** The age in seconds of the oldest event that each has not handled, 0 without one. It compares this process's clock with that of the writer. */
  readonly behindSeconds: BehindSeconds;
  readonly works: Readonly<Record<'projector' | 'reactor', RoleState>> | null;
  /** How many events each reactor has parked. */
  readonly parkedReactions: Readonly<Record<string, number>>;
  /** By kind of timer. */
  readonly timers: TimerStates;
  /** By chore of this process: seconds for which it has been failing. Empty where reactors do not run. */
  readonly failingChores: Readonly<Record<string, number>>;
  readonly disk: DiskReport | null;
}

const LOW_BYTES = 500_000_000;
const DEADLINE_MS = 2_000;

/** Whether this process can serve requests. Once read models have reached the end that the log had at the start, lag is reported but does not count. */
@Injectable()
export class Readiness {
  private isClosing = false;

  constructor(
    private readonly stores: StoreProbes,
    @Inject(CONFIG) private readonly config: Pick<Config, 'DATA_DIR' | 'DISK_RESERVE' | 'S3_ENDPOINT'>,
    private readonly roles: RoleStatus,
  ) {}

  /** Reports `closing` from now on, so load balancers send requests elsewhere. */
  close(): void {
    this.isClosing = true;
  }

  /** Takes a few seconds at most, whatever the stores do. */
  async report(): Promise<ReadinessReport> {
    const { roles } = this;
    const [stores, projections, reactors, timers, works, disk] = await Promise.all([
      this.stores.states(),
      orElse<ProjectionStates>(roles.projections(), []),
      orElse<ReactorStates>(roles.reactors(), []),
      orElse<TimerStates>(roles.timers(), {}),
      orElse<ReadinessReport['works']>(roles.states(), null),
      orElse<DiskReport | null>(this.disk(), null),
    ]);
    const behindSeconds = await orElse(roles.behind(projections, reactors), { projections: {}, reactors: {} });
    const isCaughtUp = await orElse(roles.isCaughtUp(), false);
    return {
      status: this.statusOf(stores, isCaughtUp),
      stores,
      projections,
      reactors: Object.fromEntries(reactors.map(({ reactor, lag }) => [reactor, lag])),
      behindSeconds,
      works,
      parkedReactions: Object.fromEntries(reactors.map(({ reactor, parked }) => [reactor, parked.length])),
      timers,
      failingChores: roles.failingChores(),
      disk,
      ...BUILD,
    };
  }

  private statusOf(stores: StoreStates, isCaughtUp: boolean): ReadinessReport['status'] {
    if (this.isClosing) return 'closing';
    // The file store does not count: without it, everything except files still works.
    if ([stores.log, stores.vault, stores.documents].some((state) => state !== 'ok')) return 'not-writable';
    return isCaughtUp ? 'ready' : 'catching-up';
  }

  private async disk(): Promise<DiskReport> {
    const { bavail, blocks, bsize } = await statfs(this.config.DATA_DIR);
    const freeBytes = bavail * bsize;
    return { freeBytes, sizeBytes: blocks * bsize, isLow: freeBytes < LOW_BYTES + reserveOf(this.config) };
  }
}

/** The value, or the fallback on a failure or timeout: the probes report stores that are unavailable. */
const orElse = <Value>(value: Promise<Value>, fallback: Value): Promise<Value> => within(DEADLINE_MS, value).catch(() => fallback);
