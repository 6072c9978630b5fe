import { Inject, Injectable } from '@nestjs/common';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { BLOBS } from '../platform/tokens.js';
import type { ProbeResult } from './audio-format.js';
import type { AudioWorker } from './audio-worker.js';

export const AUDIO_WORKER = Symbol('AudioWorker');

/** Probes stored files in the audio child process. */
@Injectable()
export class AudioProbe {
  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(AUDIO_WORKER) private readonly worker: AudioWorker,
  ) {}

  /** @throws BlobMissing */
  probe(key: string, size: number): Promise<ProbeResult> {
    return this.blobs.withLocalFile(key, (path) => this.worker.probe(path, size));
  }
}
