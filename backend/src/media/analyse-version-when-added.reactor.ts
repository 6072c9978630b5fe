import { readFile } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { isTutorialFile } from '@roughmix/contracts/tutorial/tutorial-files.js';
import { storedFile } from '@roughmix/contracts/versions/audio-file-key.js';
import type { AudioFile, RejectionCode, VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { idInStream } from '../kernel/stream-name.js';
import { BlobMissing, type BlobStore } from '../platform/blobs/blobs.js';
import type { Clock } from '../platform/clock.js';
import { reactionContext } from '../platform/reactors/reaction-context.js';
import { inTemporaryFolder } from '../platform/temporary-folder.js';
import { BLOBS, CLOCK } from '../platform/tokens.js';
import { type ProjectCommand, ProjectStreams } from '../projects/project.streams.js';
import type { AnalysisResult } from './audio-format.js';
import { AUDIO_WORKER } from './audio-probe.js';
import type { AudioWorker } from './audio-worker.js';
import { copyKeyOf, folderOf, storeCopy } from './store-copy.js';

/** The outcome of reading a version's file: its analysis, a refusal, or that the file is missing. */
type ReadResult = AnalysisResult | { readonly ok: false; readonly code: 'upload.lost' };
type FileEvent = StoredEvent<string, VersionEvents['VersionAdded'] | VersionEvents['VersionReplaced']>;

interface AnalysisJob {
  readonly projectId: Id;
  readonly versionId: Id;
  readonly uploadId: Id;
  readonly file: AudioFile;
  readonly peaksKey: string;
  readonly copyKey: string;
}

const REJECTIONS: readonly string[] = ['upload.not-audio', 'upload.damaged', 'upload.too-long', 'upload.no-copy', 'upload.lost'] satisfies RejectionCode[];
const isRejection = (code: string): code is RejectionCode => REJECTIONS.includes(code);

/** Analyses each version's file once in a child process and records the result as an event. Deletes a file that cannot be decoded; records a missing one as lost. */
@Injectable()
export class AnalyseVersionWhenAdded implements Reactor {
  readonly name = 'analyse-version-when-added';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set(['VersionAdded', 'VersionReplaced']);

  constructor(
    private readonly streams: ProjectStreams,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(AUDIO_WORKER) private readonly worker: AudioWorker,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async react(stored: StoredEvent, signal: AbortSignal): Promise<void> {
    const event = stored as FileEvent;
    // Shared by all tutorials and analysed when it was stored. What happens to one of them must not touch it.
    if (isTutorialFile(event.data.file)) return;
    const job = jobOf(event);
    await this.worker.turns.analyse.run(event.meta.actorUid ?? '', () => this.analyseAndRecord(event, job, signal));
    // The trash may have been emptied before the peaks and the copy were written.
    if (!(await this.isGone(job))) return;
    await this.blobs.removePrefix(job.peaksKey);
    await this.blobs.remove(job.copyKey);
  }

  private async analyseAndRecord(event: FileEvent, job: AnalysisJob, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await inTemporaryFolder('peaks', async (folder) => this.record(event, job, await this.analyse(job, folder, signal)));
  }

  private async isGone({ projectId, versionId }: AnalysisJob): Promise<boolean> {
    const project = await this.streams.state(projectId);
    return project.removed || project.versions[versionId]?.removed !== false;
  }

  /** Whether no version uses the file: its version was rejected for it, or has another file. */
  private async isRefused({ projectId, versionId, uploadId }: AnalysisJob): Promise<boolean> {
    const version = (await this.streams.state(projectId)).versions[versionId];
    return version?.uploadId !== uploadId || version.state === 'rejected';
  }

  /** A missing file was refused before a restore, or lost. Unless its version was removed, members still wait for a result. */
  private async analyse({ file }: AnalysisJob, outFolder: string, signal: AbortSignal): Promise<ReadResult> {
    try {
      return await this.blobs.withLocalFile(file.key, (path) => this.worker.analyse(path, { outFolder, duration: file.duration }, signal));
    } catch (error) {
      if (error instanceof BlobMissing) return { ok: false, code: 'upload.lost' };
      throw error;
    }
  }

  private async record(event: FileEvent, job: AnalysisJob, result: ReadResult): Promise<void> {
    const { projectId, versionId, uploadId, file, peaksKey, copyKey } = job;
    if (!result.ok) {
      const code = isRejection(result.code) ? result.code : 'upload.not-audio';
      await this.command(event, projectId, { type: 'RecordRejection', data: { versionId, uploadId, code } });
      // A lost file may be put back later. A file found good on the first delivery of this event stays.
      if (code !== 'upload.lost' && (await this.isRefused(job))) await this.blobs.remove(file.key);
      return;
    }
    for (const [level, path] of result.files.entries()) await this.blobs.write(`${peaksKey}/${level}`, await readFile(path));
    const copy = result.copy === null ? null : await storeCopy(this.blobs, copyKey, result.copy);
    const { duration, sampleRate, channels, codec, loudness, truePeak, levels } = result;
    const analysis = { duration, sampleRate, channels, codec, loudness, truePeak };
    await this.command(event, projectId, { type: 'RecordAnalysis', data: { versionId, uploadId, analysis, peaksKey, peaksLevels: levels, copy } });
  }

  private async command(event: StoredEvent, projectId: Id, command: ProjectCommand): Promise<void> {
    await this.streams.record(reactionContext(this, event, this.clock()), projectId, command);
  }
}

function jobOf(event: FileEvent): AnalysisJob {
  const { versionId, uploadId } = event.data;
  const file = storedFile(event.data.file);
  const folder = folderOf(file);
  return { projectId: idInStream(event), versionId, uploadId, file, peaksKey: `${folder}/peaks-${uploadId}`, copyKey: copyKeyOf(file, uploadId) };
}
