import { Inject, Injectable } from '@nestjs/common';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { isTutorialFile } from '@roughmix/contracts/tutorial/tutorial-files.js';
import type { PlaybackCopy, VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { idInStream } from '../kernel/stream-name.js';
import { BlobMissing, type BlobStore } from '../platform/blobs/blobs.js';
import type { Clock } from '../platform/clock.js';
import { reactionContext } from '../platform/reactors/reaction-context.js';
import { inTemporaryFolder } from '../platform/temporary-folder.js';
import { BLOBS, CLOCK } from '../platform/tokens.js';
import { type ProjectState, ProjectStreams } from '../projects/project.streams.js';
import { AUDIO_WORKER } from './audio-probe.js';
import type { AudioWorker } from './audio-worker.js';
import { copyKeyOf, storeCopy } from './store-copy.js';

/** ALAC and 64-bit floats always need a copy. Samples of 24 and 32 bits need one if they are padded, which only the header tells. */
const MAY_NEED_COPY: ReadonlySet<string> = new Set(['alac', 'pcm_f64le', 'pcm_s24le', 'pcm_s32le']);
/** They queue as if one person had sent them, so that they delay nobody's upload. */
const EARLIER_FILES = 'roughmix';

type Version = NonNullable<ProjectState['versions'][Id]>;

/** Makes the copies for browsers of versions that were analysed by programs that made none. Goes through the log once. A file that cannot be copied stays as it is. */
@Injectable()
export class CopyVersionWhenAnalysed implements Reactor {
  readonly name = 'copy-version-when-analysed';
  readonly startsAt = 'beginning';
  readonly handles: ReadonlySet<string> = new Set(['VersionAnalyzed']);
  private startedAt: Instant | null = null;

  constructor(
    private readonly streams: ProjectStreams,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(AUDIO_WORKER) private readonly worker: AudioWorker,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async react(event: StoredEvent, signal: AbortSignal): Promise<void> {
    // From here on, this process makes the copies together with the analyses.
    this.startedAt ??= this.clock();
    const { versionId, uploadId, analysis } = event.data as VersionEvents['VersionAnalyzed'];
    if (event.meta.at >= this.startedAt || !MAY_NEED_COPY.has(analysis.codec)) return;
    const version = await this.withoutCopy(idInStream(event), versionId, uploadId);
    if (version === null) return;
    await this.worker.turns.analyse.run(EARLIER_FILES, () => this.copyAndRecord(event, version, signal));
    // The trash may have been emptied before the copy was written.
    if ((await this.existing(idInStream(event), versionId)) === null) await this.blobs.remove(copyKeyOf(version.file, uploadId));
  }

  private async existing(projectId: Id, versionId: Id): Promise<Version | null> {
    const project = await this.streams.state(projectId);
    const version = project.versions[versionId];
    return project.removed || version === undefined || version.removed ? null : version;
  }

  private async withoutCopy(projectId: Id, versionId: Id, uploadId: Id): Promise<Version | null> {
    const version = await this.existing(projectId, versionId);
    return version === null || version.uploadId !== uploadId || version.hasCopy || isTutorialFile(version.file) ? null : version;
  }

  private async copyAndRecord(event: StoredEvent, version: Version, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { versionId, uploadId } = event.data as VersionEvents['VersionAnalyzed'];
    const copy = await inTemporaryFolder('copy', (folder) => this.copy(version, folder, signal));
    if (copy === null) return;
    const context = reactionContext(this, event, this.clock());
    await this.streams.record(context, idInStream(event), { type: 'RecordCopy', data: { versionId, uploadId, copy } });
  }

  private async copy({ uploadId, file }: Version, outFolder: string, signal: AbortSignal): Promise<PlaybackCopy | null> {
    try {
      const result = await this.blobs.withLocalFile(file.key, (path) => this.worker.copy(path, { outFolder, duration: file.duration }, signal));
      return result.ok && result.copy !== null ? await storeCopy(this.blobs, copyKeyOf(file, uploadId), result.copy) : null;
    } catch (error) {
      if (error instanceof BlobMissing) return null;
      throw error;
    }
  }
}
