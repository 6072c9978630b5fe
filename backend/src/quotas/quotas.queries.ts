import { Inject, Injectable } from '@nestjs/common';
import type { QuotaView } from '@roughmix/contracts/quotas/quota.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { bytesUsed, NO_USAGE, USAGE, type UsageDocument } from './usage.documents.js';

type QuotaConfig = Pick<Config, 'QUOTA_BYTES' | 'QUOTA_PROJECTS' | 'QUOTA_VERSIONS' | 'TRASH_DAYS'>;

/** What each account uses, and what it may. Two calls at once may both pass: each takes at most one file or project more than the quota. */
@Injectable()
export class QuotasQueries {
  constructor(
    private readonly reads: ReadModels,
    @Inject(CONFIG) private readonly config: QuotaConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async of(uid: Uid): Promise<QuotaView> {
    const { QUOTA_BYTES, QUOTA_PROJECTS, QUOTA_VERSIONS, TRASH_DAYS } = this.config;
    const usage = (await this.reads.get<UsageDocument>(USAGE, uid)) ?? NO_USAGE;
    return {
      bytes: { used: bytesUsed(usage, this.clock(), TRASH_DAYS), limit: QUOTA_BYTES },
      projects: { used: usage.projects, limit: QUOTA_PROJECTS },
      versionsPerProject: QUOTA_VERSIONS,
    };
  }

  /** @throws Refused `quota.bytes` if this many bytes more would be too many */
  async requireBytes(uid: Uid, size: number): Promise<void> {
    const { used, limit } = (await this.of(uid)).bytes;
    if (used + size > limit) throw new Refused('quota.bytes', { limit });
  }

  /** @throws Refused `quota.projects` if the user may own no more */
  async requireProject(uid: Uid): Promise<void> {
    const { used, limit } = (await this.of(uid)).projects;
    if (used >= limit) throw new Refused('quota.projects', { limit });
  }

  /** @throws Refused `quota.versions` if a project may have no more than it has */
  requireVersion({ versionIds }: { readonly versionIds: readonly string[] }): void {
    const limit = this.config.QUOTA_VERSIONS;
    if (versionIds.length >= limit) throw new Refused('quota.versions', { limit });
  }
}
