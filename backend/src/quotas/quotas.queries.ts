import { Inject, Injectable } from '@nestjs/common';
import type { QuotaView } from '@roughmix/contracts/quotas/quota.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { PersonalTurns } from '../platform/personal-turns.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { Uploads } from '../platform/uploads/uploads.js';
import { bytesUsed, NO_USAGE, USAGE, type UsageDocument } from './usage.documents.js';

type QuotaConfig = Pick<Config, 'QUOTA_BYTES' | 'QUOTA_PROJECTS' | 'QUOTA_VERSIONS' | 'TRASH_DAYS'>;

/**
 * What each account uses, and what it may. An account's calls take turns from the check to the append, so concurrent ones cannot exceed a quota. Concurrent calls
 * to several processes can, by one file or project for each further process.
 */
@Injectable()
export class QuotasQueries {
  @Inject()
  private readonly uploads: Uploads;

  private readonly turns = new PersonalTurns();

  constructor(
    private readonly reads: ReadModels,
    private readonly readSide: ReadSide,
    @Inject(CONFIG) private readonly config: QuotaConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Counts unused uploads, too. */
  async of(uid: Uid): Promise<QuotaView> {
    // Uploads first: one that is used in between counts twice rather than not at all.
    const open = await this.uploads.bytesOf(uid);
    const { bytes, ...others } = await this.stored(uid);
    return { bytes: { ...bytes, used: bytes.used + open }, ...others };
  }

  private async stored(uid: Uid): Promise<QuotaView> {
    const { QUOTA_BYTES, QUOTA_PROJECTS, QUOTA_VERSIONS, TRASH_DAYS } = this.config;
    const usage = (await this.reads.get<UsageDocument>(USAGE, uid)) ?? NO_USAGE;
    return {
      bytes: { used: bytesUsed(usage, this.clock(), TRASH_DAYS), limit: QUOTA_BYTES },
      projects: { used: usage.projects, limit: QUOTA_PROJECTS },
      versionsPerProject: QUOTA_VERSIONS,
    };
  }

  /** @throws Refused `quota.bytes` if this many bytes, together with the files that events name, would be too many */
  async requireBytes(uid: Uid, size: number): Promise<void> {
    const { used, limit } = (await this.current(uid)).bytes;
    if (used + size > limit) throw new Refused('quota.bytes', { limit });
  }

  /** Appends an event that adds a file, in the user's turn. @throws Refused `quota.bytes` if this many bytes more would be too many; what `append` throws */
  addBytes<Done>(uid: Uid, size: number, append: () => Promise<Done>): Promise<Done> {
    return this.turns.run(uid, async () => {
      await this.requireBytes(uid, size);
      return append();
    });
  }

  /** Appends an event that adds a project, in its owner's turn. @throws Refused `quota.projects` if the user may own no more; what `append` throws */
  addProject<Done>(uid: Uid, append: () => Promise<Done>): Promise<Done> {
    return this.turns.run(uid, async () => {
      const { used, limit } = (await this.current(uid)).projects;
      if (used >= limit) throw new Refused('quota.projects', { limit });
      return append();
    });
  }

  /** @throws Refused `quota.versions` if a project may have no more than it has */
  requireVersion({ versionIds }: { readonly versionIds: readonly string[] }): void {
    const limit = this.config.QUOTA_VERSIONS;
    if (versionIds.length >= limit) throw new Refused('quota.versions', { limit });
  }

  /** With everything that the user has written through this process. */
  private current(uid: Uid): Promise<QuotaView> {
    return this.reads.asOf(this.readSide.lastWriteOf(uid), () => this.stored(uid));
  }
}
