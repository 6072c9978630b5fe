import { once } from 'node:events';
import { json as parseJson } from 'node:stream/consumers';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TUTORIAL_FOLDER } from '@roughmix/contracts/tutorial/tutorial-files.js';
import type { AudioAnalysis, AudioFile } from '@roughmix/contracts/versions/version.events.js';
import { Rendering } from '../demo/music/rendering.js';
import { tutorialSong } from '../demo/music/demo-songs.js';
import type { MixName } from '../demo/music/score/song.js';
import { StoredAudio } from '../media/stored-audio.queries.js';
import { BlobMissing, type BlobStore } from '../platform/blobs/blobs.js';
import { BLOBS } from '../platform/tokens.js';

/** One stored version of the tutorial's song, complete with its analysis. */
export interface TutorialMix {
  readonly name: MixName;
  readonly file: AudioFile;
  readonly analysis: AudioAnalysis;
  readonly peaksKey: string;
  readonly peaksLevels: number;
}

/** A song that sounds different gets a new folder, because earlier tutorials keep the analysis of the files that they were made with. */
const FOLDER = `${TUTORIAL_FOLDER}/${tutorialSong.name}`;
const FACTS = `${FOLDER}/facts.json`;

const fileNameOf = (mix: MixName): string => `${tutorialSong.title} ${mix}.wav`;
const keyOf = (mix: MixName): string => `${FOLDER}/${fileNameOf(mix)}`;
const peaksKeyOf = (mix: MixName): string => `${FOLDER}/peaks-${mix}`;

/** The audio that all tutorials share: rendered and analysed when it is first needed, then kept in the blob store. */
@Injectable()
export class TutorialAudio implements OnApplicationShutdown {
  private running: Promise<readonly TutorialMix[]> | null = null;
  private rendering: Rendering | null = null;

  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly audio: StoredAudio,
  ) {}

  /** The mixes, from rough to better, after storing what is missing. Concurrent calls share one rendering; the signal ends the wait for it. @throws rendering and storage errors */
  async mixes(signal?: AbortSignal): Promise<readonly TutorialMix[]> {
    signal?.throwIfAborted();
    this.running ??= this.find().finally(() => {
      this.running = null;
    });
    return signal === undefined ? this.running : unlessAborted(this.running, signal);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rendering?.close();
    await this.running?.catch(() => undefined);
  }

  private async find(): Promise<readonly TutorialMix[]> {
    const stored = await this.stored();
    return stored !== null && (await this.areComplete(stored)) ? stored : this.render();
  }

  private async stored(): Promise<readonly TutorialMix[] | null> {
    try {
      return (await parseJson(await this.blobs.read(FACTS))) as readonly TutorialMix[];
    } catch (error) {
      if (error instanceof BlobMissing) return null;
      throw error;
    }
  }

  private async areComplete(mixes: readonly TutorialMix[]): Promise<boolean> {
    const keys = mixes.flatMap(({ file, peaksKey, peaksLevels }) => [file.key, ...Array.from({ length: peaksLevels }, (_, level) => `${peaksKey}/${level}`)]);
    const found = await Promise.all(keys.map((key) => this.blobs.head(key)));
    return found.every((info) => info !== null);
  }

  /** Writes the facts last, so that a crash before them is a rendering that never happened. Rendering again writes the same bytes. */
  private async render(): Promise<readonly TutorialMix[]> {
    const names = tutorialSong.mixes.map(({ name }) => name);
    const rendering = new Rendering(names.map((mix) => ({ song: tutorialSong.name, mix, seconds: Number.POSITIVE_INFINITY })));
    this.rendering = rendering;
    try {
      const mixes: TutorialMix[] = [];
      for (const name of names) mixes.push(await this.store(name, await rendering.take({ song: tutorialSong.name, mix: name })));
      await this.blobs.write(FACTS, Buffer.from(JSON.stringify(mixes)));
      return mixes;
    } finally {
      this.rendering = null;
      await rendering.close();
    }
  }

  private async store(name: MixName, wav: Uint8Array): Promise<TutorialMix> {
    const [key, peaksKey] = [keyOf(name), peaksKeyOf(name)];
    await this.blobs.write(key, wav);
    const { file, analysis, peaks } = await this.audio.measure(key, wav.byteLength);
    for (const [level, bytes] of peaks.entries()) await this.blobs.write(`${peaksKey}/${level}`, bytes);
    return { name, file: { ...file, key, filename: fileNameOf(name) }, analysis, peaksKey, peaksLevels: peaks.length };
  }
}

/** @throws the signal's reason once it is aborted */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const done = new AbortController();
  const aborted = once(signal, 'abort', { signal: done.signal }).then(() => signal.throwIfAborted());
  try {
    await Promise.race([work, aborted]);
    return await work;
  } finally {
    done.abort();
  }
}
