import type { Excerpt } from './crossfade';
import { Reader, type Loop, type ReadFrom } from './reader';
import { Stretcher, type TempoAndPitch } from './stretcher';
import type { TrackAudio } from './track-audio';

export interface VoiceSettings {
  readonly sampleRate: number;
  /** Null plays the audio as it is. */
  readonly stretch: TempoAndPitch | null;
}

/** One track playing from one place, as it is or stretched. A switch, a seek and the start of a stretch make a new voice, crossfaded with the old one. */
export class Voice {
  private constructor(
    readonly audio: TrackAudio,
    private readonly reader: Reader,
    private readonly stretcher: Stretcher | null,
    private readonly isFromBeyondEnd: boolean,
  ) {}

  static at(audio: TrackAudio, from: ReadFrom, { sampleRate, stretch }: VoiceSettings): Voice {
    const isBeyondEnd = from.head >= audio.frames && !from.isLooping;
    const stretcher = stretch && !isBeyondEnd ? new Stretcher(sampleRate, stretch) : null;
    const reader = new Reader(audio, sampleRate, { ...from, head: from.head - (stretcher?.preroll() ?? 0) });
    stretcher?.start(reader);
    return new Voice(audio, reader, stretcher, isBeyondEnd);
  }

  /** Another voice at the same place, with the loop as it is in its audio. */
  successor(audio: TrackAudio, loop: Loop | null, settings: VoiceSettings): Voice {
    const { reader, stretcher } = this;
    const { sampleRate, stretch } = settings;
    if (!stretcher || !stretch || this.position() >= audio.frames)
      return Voice.at(audio, { ...reader.placeAt(stretcher ? stretcher.audible() : reader.fed), loop }, settings);
    const next = new Stretcher(sampleRate, stretch);
    const nextReader = new Reader(audio, sampleRate, { ...reader.placeAt(Stretcher.followFrom(stretcher)), loop });
    next.follow(stretcher, nextReader);
    return new Voice(audio, nextReader, next, false);
  }

  /** Beyond the track's end: silent, with the playhead waiting for another version. */
  get isHeld(): boolean {
    return this.isFromBeyondEnd && !this.reader.isLooping;
  }

  get isLooping(): boolean {
    return this.reader.isLooping;
  }

  get isStretched(): boolean {
    return this.stretcher !== null;
  }

  get turns(): number {
    return this.reader.turns;
  }

  /** The playhead, in frames of source time. */
  position(): number {
    return this.stretcher ? this.reader.sourceAt(this.stretcher.playhead()) : this.reader.head;
  }

  /** The frames of source time that are played next; when stretched, they differ slightly from the playhead. */
  excerpt(): Excerpt {
    return { audio: this.audio, from: Math.round(this.reader.sourceAt(this.stretcher ? this.stretcher.audible() : this.reader.fed)) };
  }

  setLoop(loop: Loop | null): void {
    this.reader.setLoop(loop);
  }

  /** False if the change needs a new voice. */
  setStretch(stretch: TempoAndPitch | null): boolean {
    if (stretch) this.stretcher?.setTempoAndPitch(stretch);
    return this.isHeld || (stretch === null) === (this.stretcher === null);
  }

  write(left: Float32Array, right: Float32Array, count: number): void {
    if (this.isHeld) {
      left.fill(0, 0, count);
      right.fill(0, 0, count);
    } else if (this.stretcher) this.stretcher.write(left, right, count);
    else this.reader.read(left, right, count);
  }
}
