import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { SharedWork } from '../platform/shared-work.js';
import { BLOBS } from '../platform/tokens.js';
import type { ProbeResult } from './audio-format.js';
import type { AudioWorker } from './audio-worker.js';

export const AUDIO_WORKER = Symbol('AudioWorker');

/** Probes uploaded files in an audio child process. */
@Injectable()
export class AudioProbe {
  private readonly shared = new SharedWork();

  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(AUDIO_WORKER) private readonly worker: AudioWorker,
  ) {}

  /** A command that is sent many times at once probes its file once. @throws BlobMissing; Refused `upload.busy`, after which the upload can be used again */
  probe(uid: Uid, key: string, size: number): Promise<ProbeResult> {
    const inTurn = (): Promise<ProbeResult> => this.worker.turns.probe.run(uid, () => this.blobs.withLocalFile(key, (path) => this.worker.probe(path, size)));
    return this.shared.run(key, inTurn);
  }
}
