import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { ReactorRunner } from '../platform/reactors/reactor-runner.js';
import { LOG } from '../platform/tokens.js';
import { AnalyseVersionWhenAdded } from './analyse-version-when-added.reactor.js';
import { AUDIO_WORKER, AudioProbe } from './audio-probe.js';
import { type AudioWorker, createAudioWorker } from './audio-worker.js';
import { MediaFilesController } from './media-files.controller.js';
import { MediaController } from './media.controller.js';
import { mediaHandlers } from './media.handlers.js';
import { SummaryMentions } from './summary-mentions.js';
import { Sweeper } from './sweeper.js';
import { Trash } from './trash.js';
import { TrashFilesWhenRemoved } from './trash-files-when-removed.reactor.js';
import { UploadRights } from './upload-rights.js';
import { UploadsController } from './uploads.controller.js';
import { VersionUploads } from './version-uploads.js';

const HOUR_MS = 60 * 60 * 1000;

@Module({
  controllers: [MediaController, MediaFilesController, UploadsController],
  providers: [
    { provide: AUDIO_WORKER, useFactory: () => createAudioWorker() },
    AudioProbe,
    UploadRights,
    VersionUploads,
    SummaryMentions,
    Trash,
    Sweeper,
    AnalyseVersionWhenAdded,
    TrashFilesWhenRemoved,
    ...mediaHandlers,
  ],
})
export class MediaModule implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private hourly: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly reactors: ReactorRunner,
    private readonly analyse: AnalyseVersionWhenAdded,
    private readonly trashFiles: TrashFilesWhenRemoved,
    private readonly trash: Trash,
    private readonly sweeper: Sweeper,
    @Inject(AUDIO_WORKER) private readonly worker: AudioWorker,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.trash.declare();
    await this.reactors.start([this.analyse, this.trashFiles]);
    this.sweep();
    this.hourly = setInterval(() => this.sweep(), HOUR_MS).unref();
  }

  /** Before the server waits for its connections: an analysis ends with its process, and is done again at the next start. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.hourly);
    await this.reactors.stop();
  }

  /** After the last request: until then files may still be probed. */
  async onApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }

  /** One that the end of the program breaks off is done at the next start. */
  private sweep(): void {
    this.sweeper.sweep().catch((error: unknown) => this.isStopping || this.log.error({ err: error }, 'sweeping failed'));
  }
}
