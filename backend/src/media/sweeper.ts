import { Inject, Injectable } from '@nestjs/common';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { SYSTEM } from '../kernel/decider.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Clock } from '../platform/clock.js';
import { BLOBS, CLOCK } from '../platform/tokens.js';
import { uploadKey, type UploadRecord, uploadOf, Uploads } from '../platform/uploads/uploads.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { UnfinishedProjects } from '../projects/unfinished-projects.queries.js';
import { Trash } from './trash.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 500;

/** What nobody named in time goes: uploads whose hour is over, projects that never got their first version, trash that waited long enough. */
@Injectable()
export class Sweeper {
  constructor(
    private readonly uploads: Uploads,
    private readonly streams: ProjectStreams,
    private readonly unfinished: UnfinishedProjects,
    private readonly trash: Trash,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Runs at start and every hour; a repeat finds nothing. */
  async sweep(): Promise<void> {
    await this.sweepUploads();
    await this.removeAbandonedProjects();
    await this.trash.empty();
  }

  private async sweepUploads(): Promise<void> {
    for (const { uploadId, record } of await this.uploads.expired()) {
      if (record.movedTo !== null && !(await this.isNamed(uploadId, record))) await this.blobs.remove(record.movedTo);
      await this.blobs.remove(uploadKey(uploadId));
      await this.uploads.used(uploadId);
    }
    await this.removeUnannounced();
  }

  /** A file that arrived without a record: its record went when its use was over, the crash came before the file did. */
  private async removeUnannounced(): Promise<void> {
    for (let after = ''; ;) {
      const keys = await this.blobs.list('uploads', { after, limit: PAGE });
      for (const key of keys) {
        const uploadId = uploadOf(key);
        if (uploadId !== null && !(await this.uploads.isExpected(uploadId))) await this.blobs.remove(key);
      }
      const last = keys.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }

  private async isNamed(uploadId: Id, record: UploadRecord): Promise<boolean> {
    const project = await this.streams.state(record.projectId);
    const isVersion = Object.values(project.versions).some((version) => version.uploadId === uploadId);
    return isVersion || Object.values(project.comments).some((comment) => comment.imageKey === record.movedTo);
  }

  private async removeAbandonedProjects(): Promise<void> {
    for (const projectId of await this.unfinished.before(this.clock() - DAY_MS)) {
      const commandId = `abandon-${projectId}`;
      const context = { actor: SYSTEM, at: this.clock(), commandId, correlationId: commandId, causationId: null };
      await this.streams.run(context, projectId, { type: 'AbandonProject', data: {} });
    }
  }
}
