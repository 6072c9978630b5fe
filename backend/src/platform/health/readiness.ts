import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.js';
import { type ProjectionStatus, ProjectionRunner } from '../projection-runner.js';
import { ReactorRunner } from '../reactor-runner.js';
import { CONFIG, VAULT } from '../tokens.js';
import type { Vault } from '../vault/vault.js';

/** What `/health/ready` says. Lag counts events. */
export interface ReadinessReport {
  readonly status: 'ready' | 'catching-up' | 'not-writable';
  readonly projections: readonly ProjectionStatus[];
  readonly reactors: Readonly<Record<string, number>>;
  readonly freeBytes: number;
}

const CAUGHT_UP = 1_000;
const COLLECTION = 'readiness';

/** Whether requests can be served. After the start every projector must have come within 1,000 events once; later lag is told, not refused. */
@Injectable()
export class Readiness {
  private hasCaughtUp = false;
  private declared: Promise<void> | undefined;

  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CONFIG) private readonly config: Config,
    private readonly projections: ProjectionRunner,
    private readonly reactors: ReactorRunner,
  ) {}

  async report(): Promise<ReadinessReport> {
    const projections = await this.projections.status();
    this.hasCaughtUp ||= projections.every(({ lag }) => lag <= CAUGHT_UP);
    const disk = await statfs(this.config.DATA_DIR);
    const status = !(await this.isWritable()) ? 'not-writable' : this.hasCaughtUp ? 'ready' : 'catching-up';
    return { status, projections, reactors: Object.fromEntries(await this.reactors.lags()), freeBytes: disk.bavail * disk.bsize };
  }

  private async isWritable(): Promise<boolean> {
    try {
      this.declared ??= this.vault.declare({ name: COLLECTION });
      await this.declared;
      await this.vault.put(COLLECTION, 'probe', {});
      return true;
    } catch {
      // Whatever keeps it from being written is what this question is about.
      return false;
    }
  }
}
