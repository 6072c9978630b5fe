import { Inject, Injectable } from '@nestjs/common';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { namelessKey } from '@roughmix/contracts/versions/audio-file-key.js';
import { SYSTEM } from '../kernel/decider.js';
import type { Clock } from '../platform/clock.js';
import { CLOCK, LOG } from '../platform/tokens.js';
import { type ExpiredUpload, Uploads } from '../platform/uploads/uploads.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { UnfinishedProjects } from '../projects/unfinished-projects.queries.js';
import { pictureKeysOf, UserStreams } from '../users/user.streams.js';
import { Trash, type TrashedFolder } from './trash.js';
import type { Logger } from '../platform/logger.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How many items a sweep removed, and how many it failed to remove: those are logged and left to the next sweep. */
export interface SweepResult {
  readonly uploads: number;
  readonly projects: number;
  readonly folders: number;
  readonly failed: number;
}

/** An upload, the key of a file, the id of a project or a folder in the trash. */
type SweptThing = ExpiredUpload | string | TrashedFolder;

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
    private readonly users: UserStreams,
    private readonly unfinished: UnfinishedProjects,
    private readonly trash: Trash,
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
    const expired = await this.each(await this.uploads.expired({ all }), (upload) => this.sweepUpload(upload));
    const unannounced = await this.each(await this.uploads.unannounced(), (key) => this.uploads.removeUnannounced(key));
    return { done: expired.done + unannounced.done, failed: expired.failed + unannounced.failed };
  }

  /** Sweeps items one by one, so that one failure (an unreadable project, a folder that cannot be removed) does not stop the rest. */
  private async each<Thing extends SweptThing>(things: readonly Thing[], sweepOne: (thing: Thing) => Promise<void>): Promise<Counts> {
    let done = 0;
    for (const thing of things) {
      try {
        await sweepOne(thing);
        done += 1;
      } catch (error) {
        this.log.error({ err: error, thing: nameOf(thing) }, 'sweep failed for one item; the next sweep retries');
      }
    }
    return { done, failed: things.length - done };
  }

  private async sweepUpload(upload: ExpiredUpload): Promise<void> {
    const named = upload.record.places.length === 0 ? [] : await this.namedBy(upload);
    // Recorded keys may end in names until a start has renamed the files; no start precedes a sweep of a stopped program.
    await this.uploads.sweep(upload, async (place) => named.includes(namelessKey(place)) || (await this.trash.holds(place)));
  }

  /** The keys of the files that events name: of the version with this upload and of the project's comment images, or of the person's pictures. */
  private async namedBy({ uploadId, record }: ExpiredUpload): Promise<readonly string[]> {
    if (record.projectId === null) return pictureKeysOf(await this.users.person(record.uid));
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

/** What log lines call it: an upload's record also has the name of the file, which is the user's own text. */
const nameOf = (thing: SweptThing): string => (typeof thing === 'string' ? thing : 'uploadId' in thing ? thing.uploadId : thing.prefix);
