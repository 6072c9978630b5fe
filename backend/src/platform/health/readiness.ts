import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { ProjectionRunner } from '../projections/projection-runner.js';
import { ReactorRunner } from '../reactors/reactor-runner.js';
import { CONFIG } from '../tokens.js';
import { within } from './deadline.js';
import { StoreProbes, type StoreStates } from './store-probes.js';

type ProjectionStates = Awaited<ReturnType<ProjectionRunner['status']>>;
type ReactorStates = Awaited<ReturnType<ReactorRunner['status']>>;

/** Room on the disk that holds the data, in octets. */
export interface DiskReport {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** Less than 500 MB are left: a warning, nothing is refused for it. */
  readonly isLow: boolean;
}

/** What `/health/ready` says. Lag counts events. What could not be learned in time is missing from its list, or null. */
export interface ReadinessReport {
  /** `closing`: the process is ending. `not-writable`: a store takes no writes. `catching-up`: the read models have not come near the log's end since the start. */
  readonly status: 'ready' | 'catching-up' | 'not-writable' | 'closing';
  readonly stores: StoreStates;
  readonly projections: ProjectionStates;
  readonly reactors: Readonly<Record<string, number>>;
  /** How many events each reactor has given up on. */
  readonly parkedReactions: Readonly<Record<string, number>>;
  readonly disk: DiskReport | null;
}

const CAUGHT_UP = 1_000;
const LOW_BYTES = 500_000_000;
/** How long a list may take, in milliseconds: whoever asks waits no longer than two seconds for everything. */
const DEADLINE_MS = 2_000;

/** Whether requests can be served. After the start every projector must have come within 1,000 events once; later lag is told, not refused. */
@Injectable()
export class Readiness {
  private hasCaughtUp = false;
  private isClosing = false;

  constructor(
    private readonly stores: StoreProbes,
    @Inject(CONFIG) private readonly config: Pick<Config, 'DATA_DIR'>,
    private readonly projections: ProjectionRunner,
    private readonly reactors: ReactorRunner,
  ) {}

  /** From now on the answer is `closing`: whoever sends requests here sends them elsewhere. */
  close(): void {
    this.isClosing = true;
  }

  /** Answers within about two seconds, whatever the stores do. */
  async report(): Promise<ReadinessReport> {
    const [stores, projections, reactors, disk] = await Promise.all([
      this.stores.states(),
      known<ProjectionStates>(this.projections.status(), []),
      known<ReactorStates>(this.reactors.status(), []),
      known<DiskReport | null>(this.disk(), null),
    ]);
    this.hasCaughtUp ||= projections.length > 0 && projections.every(({ lag }) => lag <= CAUGHT_UP);
    return {
      status: this.statusOf(stores),
      stores,
      projections,
      reactors: Object.fromEntries(reactors.map(({ reactor, lag }) => [reactor, lag])),
      parkedReactions: Object.fromEntries(reactors.map(({ reactor, parked }) => [reactor, parked.length])),
      disk,
    };
  }

  private statusOf(stores: StoreStates): ReadinessReport['status'] {
    if (this.isClosing) return 'closing';
    // The files' store is told and not counted: sending everybody elsewhere would bring no files back, and take the rest away.
    if ([stores.log, stores.vault, stores.documents].some((state) => state !== 'ok')) return 'not-writable';
    return this.hasCaughtUp ? 'ready' : 'catching-up';
  }

  private async disk(): Promise<DiskReport> {
    const { bavail, blocks, bsize } = await statfs(this.config.DATA_DIR);
    const freeBytes = bavail * bsize;
    return { freeBytes, sizeBytes: blocks * bsize, isLow: freeBytes < LOW_BYTES };
  }
}

/** What could not be learned in time, or at all, is not there: that the stores are away is told by their probes. */
const known = <Value>(asked: Promise<Value>, missing: Value): Promise<Value> => within(DEADLINE_MS, asked).catch(() => missing);
