import { Injectable } from '@nestjs/common';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { BlobMissing } from '../platform/blobs/blobs.js';
import type { CommandContext, Executed, Preparation } from '../platform/streams/streams.js';
import { type ArrivedUpload, Uploads } from '../platform/uploads/uploads.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { type ProjectCommand, ProjectStreams, uidOf } from '../projects/project.streams.js';
import { QuotasQueries } from '../quotas/quotas.queries.js';
import { AudioProbe } from './audio-probe.js';

/** A probed upload as a version's file, before it has its key. */
export interface ProbedUpload {
  readonly filename: string;
  readonly size: number;
  readonly contentType: string;
  readonly codec: string;
  readonly duration: number;
  readonly sampleRate: number;
  readonly channels: number;
}

/** One use of an uploaded audio file: the caller, the project, the upload, and the command that names it. */
export interface VersionUpload {
  readonly context: CommandContext;
  readonly projectId: Id;
  readonly uploadId: Id;
  /** Refuses callers without the right, before the file is read. Not called for a repeated command, which gets its first result. */
  readonly check: () => Promise<void>;
  readonly command: (upload: ArrivedUpload, file: ProbedUpload) => ProjectCommand | Promise<ProjectCommand>;
}

/** Turns an upload into a version's file: probes it, moves it to its key, and only then appends the event that names it. */
@Injectable()
export class VersionUploads {
  constructor(
    private readonly uploads: Uploads,
    private readonly probe: AudioProbe,
    private readonly streams: ProjectStreams,
    private readonly quotas: QuotasQueries,
  ) {}

  /** @throws Refused if the upload is not the caller's or its file is not acceptable; a file that the probe refuses is deleted */
  async use({ context, projectId, uploadId, check, command }: VersionUpload): Promise<Executed<ProjectStreamEvent>> {
    let upload: ArrivedUpload | null = null;
    const make = async (): Promise<ProjectCommand> => {
      await check();
      const use = { uid: uidOf(context), purpose: 'version', projectId } as const;
      upload = await this.uploads.findArrived(uploadId, use);
      // Again before the append. Here it saves reading a file that is too large.
      await this.quotas.requireBytes(use.uid, upload.record.size);
      const file = await this.probed(upload);
      if (file !== null) return command(upload, file);
      // Another server moved it for the same request while this one probed it.
      upload = await this.uploads.findArrived(uploadId, use);
      const moved = await this.probed(upload);
      if (moved === null) throw new Refused('upload.not-found');
      return command(upload, moved);
    };
    const prepare = (events: readonly ProjectStreamEvent[]): Preparation | null => {
      const [key] = events.flatMap((event) => (event.type === 'VersionAdded' || event.type === 'VersionReplaced' ? [event.data.file.key] : []));
      const found = upload;
      if (found === null || key === undefined || key === found.key) return null;
      return async () => {
        upload = await this.uploads.moveTo(found, key);
      };
    };
    const done = await this.streams.run(context, projectId, make, {
      prepare,
      turn: (append) => this.quotas.addBytes(uidOf(context), upload?.record.size ?? 0, append),
    });
    await this.uploads.finish(uploadId);
    return done;
  }

  /** As `ProjectStreams.answer`. */
  answer<Body>(done: Executed<ProjectStreamEvent>, make: () => Promise<Body>): Promise<CommandAnswer<Body>> {
    return this.streams.answer(done, make);
  }

  /** Null if the file was moved in the meantime. */
  private async probed(upload: ArrivedUpload): Promise<ProbedUpload | null> {
    const { uid, filename, size } = upload.record;
    const result = await this.probe.probe(uid, upload.key, size).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
    if (result === null) return null;
    if (!result.ok) {
      await this.uploads.discard(upload);
      throw new Refused(result.code);
    }
    const { codec, duration, sampleRate, channels, contentType } = result;
    return { filename, size, contentType, codec, duration, sampleRate, channels };
  }
}
