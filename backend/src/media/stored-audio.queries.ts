import { readFile } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { AudioAnalysis, AudioFile } from '@roughmix/contracts/versions/version.events.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { inTemporaryFolder } from '../platform/temporary-folder.js';
import { BLOBS } from '../platform/tokens.js';
import { AUDIO_WORKER } from './audio-probe.js';
import type { AudioWorker } from './audio-worker.js';

/** The facts of a stored audio file, and its peaks, coarsest level first. */
export interface MeasuredAudio {
  readonly file: Omit<AudioFile, 'key' | 'filename'>;
  readonly analysis: AudioAnalysis;
  readonly peaks: readonly Uint8Array[];
}

/** The program's own files wait like those of one person. */
const OWN_FILES = 'roughmix';

/** Probes and analyses audio that the program stores itself, by the same steps as an upload. */
@Injectable()
export class StoredAudio {
  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(AUDIO_WORKER) private readonly worker: AudioWorker,
  ) {}

  /** @throws BlobMissing; Error if the file cannot be decoded */
  measure(key: string, size: number): Promise<MeasuredAudio> {
    return this.worker.turns.analyse.run(OWN_FILES, () => this.blobs.withLocalFile(key, (path) => this.measureFile(path, { key, size })));
  }

  private async measureFile(path: string, { key, size }: { readonly key: string; readonly size: number }): Promise<MeasuredAudio> {
    const probed = await this.worker.probe(path, size);
    if (!probed.ok) throw new Error(`${key} is no audio: ${probed.code}`);
    const { codec, duration, sampleRate, channels, contentType } = probed;
    return inTemporaryFolder('peaks', async (outFolder) => {
      const result = await this.worker.analyse(path, { outFolder, duration });
      if (!result.ok) throw new Error(`${key} cannot be decoded: ${result.code}`);
      const { ok: _ok, levels: _levels, files, copy: _copy, ...analysis } = result;
      const peaks = await Promise.all(files.map((each) => readFile(each)));
      return { file: { size, contentType, codec, duration, sampleRate, channels }, analysis, peaks };
    });
  }
}
