import { Inject, Injectable } from '@nestjs/common';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { SYSTEM } from '../kernel/decider.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Clock } from '../platform/clock.js';
import type { ProjectionLog } from '../platform/projections/projection-runner.js';
import { BLOBS, CLOCK, LOG } from '../platform/tokens.js';
import type { UploadRecord } from '../platform/uploads/upload-record.js';
import { uploadOf, Uploads } from '../platform/uploads/uploads.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { UnfinishedProjects } from '../projects/unfinished-projects.queries.js';
import { Trash } from './trash.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 500;

/** How much a sweep took away, and how much it could not look after: that is logged and waits for the next one. */
export interface Swept {
  readonly uploads: number;
  readonly projects: number;
  readonly folders: number;
  readonly failed: number;
}

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
    @Inject(LOG) private readonly log: ProjectionLog,
  ) {}

  /** Runs at start and every hour; a repeat finds nothing. `all`: uploads under way too, while the program is stopped and nobody can be uploading. */
  async sweep({ all = false } = {}): Promise<Swept> {
    const uploads = await this.each(await this.uploads.expired({ all }), ({ uploadId, record }) => this.sweepUpload(uploadId, record));
    const unannounced = await this.each(await this.unannounced(), (key) => this.blobs.remove(key));
    const projects = await this.each(await this.unfinished.before(this.clock() - DAY_MS), (projectId) => this.abandon(projectId));
    const folders = await this.each(await this.trash.due(), (folder) => this.trash.remove(folder));
    const failed = [uploads, unannounced, projects, folders].reduce((total, each) => total + each.failed, 0);
    return { uploads: uploads.done + unannounced.done, projects: projects.done, folders: folders.done, failed };
  }

  /** Each by itself: one that fails (its project cannot be read, its folder not removed) keeps the others from nothing. */
  private async each<Thing>(things: readonly Thing[], sweepOne: (thing: Thing) => Promise<void>): Promise<{ readonly done: number; readonly failed: number }> {
    let done = 0;
    for (const thing of things) {
      try {
        await sweepOne(thing);
        done += 1;
      } catch (error) {
        this.log.error({ err: error, thing }, 'something could not be swept; the next sweep tries again');
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

  /** Files that arrived without a record: it went when their use was over, the crash came before they did. */
  private async unannounced(): Promise<readonly string[]> {
    const found: string[] = [];
    for (let after = ''; ;) {
      const keys = await this.blobs.list('uploads', { after, limit: PAGE });
      for (const key of keys) {
        const uploadId = uploadOf(key);
        if (uploadId !== null && !(await this.uploads.isExpected(uploadId))) found.push(key);
      }
      const last = keys.at(-1);
      if (last === undefined) return found;
      after = last;
    }
  }

  /** The places at which events say that the file of an upload lies. */
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
