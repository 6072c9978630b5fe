import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { StartChild } from '../platform/children/limited-child.js';
import type { SliceParts } from '../platform/slice.js';
import { START_CHILD } from '../platform/tokens.js';
import { DiskReserve } from '../platform/uploads/disk-reserve.js';
import { AnalyseVersionWhenAdded } from './analyse-version-when-added.reactor.js';
import { AUDIO_WORKER, AudioProbe } from './audio-probe.js';
import { type AudioWorker, createAudioWorker } from './audio-worker.js';
import { CopyVersionWhenAnalysed } from './copy-version-when-analysed.reactor.js';
import { DeleteTrashedFiles } from './delete-trashed-files.timer.js';
import { EarlierFileNames } from './earlier-file-names.js';
import { MediaFilesController } from './media-files.controller.js';
import { MediaChores } from './media.chores.js';
import { MediaController } from './media.controller.js';
import { mediaHandlers } from './media.handlers.js';
import { StoredAudio } from './stored-audio.queries.js';
import { Sweeper } from './sweeper.js';
import { Trash } from './trash.js';
import { TrashFilesWhenRemoved } from './trash-files-when-removed.reactor.js';
import { UploadRights } from './upload-rights.js';
import { UploadsController } from './uploads.controller.js';
import { VersionUploads } from './version-uploads.js';

@Module({
  controllers: [MediaController, MediaFilesController, UploadsController],
  providers: [
    { provide: AUDIO_WORKER, useFactory: (startChild: StartChild) => createAudioWorker({ startChild }), inject: [START_CHILD] },
    AudioProbe,
    StoredAudio,
    UploadRights,
    DiskReserve,
    EarlierFileNames,
    VersionUploads,
    Trash,
    Sweeper,
    MediaChores,
    AnalyseVersionWhenAdded,
    CopyVersionWhenAnalysed,
    TrashFilesWhenRemoved,
    DeleteTrashedFiles,
    ...mediaHandlers,
  ],
  exports: [StoredAudio, Trash, Sweeper, AnalyseVersionWhenAdded, CopyVersionWhenAnalysed, TrashFilesWhenRemoved, DeleteTrashedFiles],
})
export class MediaModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly trash: Trash,
    private readonly earlierNames: EarlierFileNames,
    @Inject(AUDIO_WORKER) private readonly worker: AudioWorker,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.trash.declare();
    await this.earlierNames.removeAtStart();
  }

  /** Runs after the last request, because requests probe files. */
  async onApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }
}

export const parts: SliceParts = {
  module: MediaModule,
  reactors: [AnalyseVersionWhenAdded, CopyVersionWhenAnalysed, TrashFilesWhenRemoved],
  timers: [DeleteTrashedFiles],
  chores: [MediaChores],
};
