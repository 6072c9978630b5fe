import { Inject, Injectable } from '@nestjs/common';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { SYSTEM } from '../kernel/decider.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Clock } from '../platform/clock.js';
import { BLOBS, CLOCK, LOG } from '../platform/tokens.js';
import type { UploadRecord } from '../platform/uploads/upload-record.js';
import { uploadOf, Uploads } from '../platform/uploads/uploads.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { UnfinishedProjects } from '../projects/unfinished-projects.queries.js';
import { Trash } from './trash.js';
import type { Logger } from '../platform/logger.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 500;

/** How many items a sweep removed, and how many it failed to remove: those are logged and left to the next sweep. */
export interface SweepResult {
  readonly uploads: number;
  readonly projects: number;
  readonly folders: number;
  readonly failed: number;
}

interface Counts {
  readonly done: number;
  readonly failed: number;
}

/** Removes expired uploads and files without an upload. For a stopped program, it also removes what timers would have removed. */
@Injectable()
export class Sweeper {
  constructor(
    private readonly uploads: Uploads,
    private readonly streams: ProjectStreams,
    private readonly unfinished: UnfinishedProjects,
    private readonly trash: Trash,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Sweeps everything overdue while the program is stopped and no timers fire. Idempotent. `all`: includes pending uploads, since nobody can be uploading. */
  async sweep({ all = false } = {}): Promise<SweepResult> {
    const uploads = await this.sweepUploads({ all });
    const projects = await this.each(await this.unfinished.before(this.clock() - DAY_MS), (projectId) => this.abandon(projectId));
    const folders = await this.each(await this.trash.due(this.clock()), (folder) => this.trash.remove(folder));
    const failed = [uploads, projects, folders].reduce((total, each) => total + each.failed, 0);
    return { uploads: uploads.done, projects: projects.done, folders: folders.done, failed };
  }

  /** Sweeps expired uploads and files without an upload. Runs at start and every hour. Idempotent. */
  async sweepUploads({ all = false } = {}): Promise<Counts> {
    const expired = await this.each(await this.uploads.expired({ all }), ({ uploadId, record }) => this.sweepUpload(uploadId, record));
    const unannounced = await this.each(await this.unannounced(), (key) => this.blobs.remove(key));
    return { done: expired.done + unannounced.done, failed: expired.failed + unannounced.failed };
  }

  /** Sweeps items one by one, so that one failure (an unreadable project, a folder that cannot be removed) does not stop the rest. */
  private async each<Thing>(things: readonly Thing[], sweepOne: (thing: Thing) => Promise<void>): Promise<Counts> {
    let done = 0;
    for (const thing of things) {
      try {
        await sweepOne(thing);
        done += 1;
      } catch (error) {
        this.log.error({ err: error, thing }, 'sweep failed for one item; the next sweep retries');
      }
    }
    return { done, failed: things.length - done };
  }

  private async sweepUpload(uploadId: Id, record: UploadRecord): Promise<void> {
    const named = record.places.length === 0 ? [] : await this.namedBy(uploadId, record);
    for (const place of record.places) {
      if (!named.includes(place) && !(await this.trash.holds(place))) await this.blobs.remove(place);
    }
    await this.uploads.finish(uploadId);
    await this.uploads.tidy(record);
  }

  /** Files without an upload record, left by a crash between removing the record and removing its file. */
  private async unannounced(): Promise<readonly string[]> {
    const found: string[] = [];
    for (let after = ''; ;) {
      const keys = await this.blobs.list('uploads', { after, limit: PAGE });
      for (const key of keys) {
        const uploadId = uploadOf(key);
        if (uploadId !== null && !(await this.uploads.exists(uploadId))) found.push(key);
      }
      const last = keys.at(-1);
      if (last === undefined) return found;
      after = last;
    }
  }

  /** The keys of the files that events name: of the version with this upload, and of the project's comment images. */
  private async namedBy(uploadId: Id, record: UploadRecord): Promise<readonly string[]> {
    const project = await this.streams.state(record.projectId);
    const versions = Object.values(project.versions).filter((version) => version.uploadId === uploadId);
    const images = Object.values(project.comments).flatMap((comment) => comment.imageKey ?? []);
    return [...versions.map((version) => version.file.key), ...images];
  }

  private async abandon(projectId: Id): Promise<void> {
    const commandId = `abandon-${projectId}`;
    const context = { actor: SYSTEM, at: this.clock(), commandId, correlationId: commandId, causationId: null };
    await this.streams.run(context, projectId, { type: 'AbandonProject', data: {} });
  }
}
