// oxlint-disable-next-line import/default -- Vite makes this module.
import mixerUrl from './mixer.worklet.ts?worker&url';
import { mixerLoader } from './mixer-loader';
import type { MixerCommand, MixerReport } from './mixer-messages';
import type { Sound } from './playback-engine';

/** Fade from the direct connection to the mixer. */
const SWAP_SECONDS = 0.005;
/** Volume changes are smoothed with this time constant, so that they do not click. */
const VOLUME_SECONDS = 0.01;
/** A context that has not started after this time is blocked. */
const BLOCKED_MS = 3_000;
/** The audio device is released after a pause of this length. */
const IDLE_MS = 30_000;

export interface GraphEvents {
  readonly onMixer: (isReady: boolean) => void;
  readonly onReport: (report: MixerReport) => void;
  /** The system took the audio device away, such as for a call. */
  readonly onInterrupted: () => void;
  /** The browser blocks the context. */
  readonly onBlocked: () => void;
}

/** The Web Audio side of the player, as far as the engine needs it. */
export interface AudioGraph {
  readonly sampleRate: number;
  /** The context's clock in seconds. */
  readonly now: () => number;
  /** Output latency in seconds: what is mixed now becomes audible this much later. */
  readonly latency: () => number;
  readonly decode: (bytes: ArrayBuffer) => Promise<AudioBuffer>;
  readonly post: (command: MixerCommand, transfer?: Transferable[]) => void;
  readonly setSound: (sound: Sound) => void;
  /** Linear gain of the stream (loudness match) while it bypasses the mixer. */
  readonly setDirectGain: (gain: number) => void;
  /** Routes the stream through the mixer. */
  readonly useMixer: () => void;
  /** Starts the context ahead of an expected play where the browser allows that, because starting a device takes time. It is suspended again after 30 s. */
  readonly wake: () => void;
  /** True resumes the context; call it inside the user's gesture. False suspends it after 30 s. */
  readonly setActive: (isActive: boolean) => void;
}

const ignore = () => undefined;

class WebAudioGraph implements AudioGraph {
  private readonly context = new AudioContext();
  private readonly source: MediaElementAudioSourceNode;
  private readonly direct = this.context.createGain();
  private readonly volume = this.context.createGain();
  private mixer: AudioWorkletNode | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isActive = false;
  private readonly loadMixer = mixerLoader({
    url: mixerUrl,
    addModule: (url) => this.context.audioWorklet.addModule(url),
    onLoaded: () => this.addMixer(),
    onMissing: () => this.events.onMixer(false),
  });

  constructor(
    media: HTMLMediaElement,
    private readonly events: GraphEvents,
  ) {
    const { context, direct, volume } = this;
    this.source = context.createMediaElementSource(media);
    this.source.connect(direct).connect(volume).connect(context.destination);
    context.addEventListener('statechange', () => {
      if (this.isActive && context.state === 'interrupted') events.onInterrupted();
    });
    // The output device failed, such as unplugged headphones; the context is suspended.
    context.addEventListener('error', () => events.onInterrupted());
    this.wake();
  }

  get sampleRate() {
    return this.context.sampleRate;
  }
  readonly now = () => this.context.currentTime;
  readonly latency = () => this.context.outputLatency || this.context.baseLatency || 0;
  readonly decode = (bytes: ArrayBuffer) => this.context.decodeAudioData(bytes);
  readonly post = (command: MixerCommand, transfer: Transferable[] = []) => this.mixer?.port.postMessage(command, transfer);

  readonly setSound = ({ volume, muted }: Sound) => void this.volume.gain.setTargetAtTime(muted ? 0 : volume, this.context.currentTime, VOLUME_SECONDS);

  readonly setDirectGain = (gain: number) => {
    if (!this.mixer) this.direct.gain.setTargetAtTime(gain, this.context.currentTime, VOLUME_SECONDS);
  };

  readonly useMixer = () => {
    const { gain } = this.direct;
    gain.cancelScheduledValues(0);
    gain.setValueAtTime(gain.value, this.context.currentTime);
    gain.linearRampToValueAtTime(0, this.context.currentTime + SWAP_SECONDS);
  };

  readonly setActive = (isActive: boolean) => {
    this.isActive = isActive;
    clearTimeout(this.timer);
    if (isActive) {
      void this.loadMixer();
      this.context.resume().catch(ignore);
      this.timer = setTimeout(() => this.context.state !== 'running' && this.events.onBlocked(), BLOCKED_MS);
    } else this.suspendLater();
  };

  readonly wake = () => {
    if (this.isActive) return;
    void this.loadMixer();
    this.context.resume().catch(ignore);
    this.suspendLater();
  };

  private suspendLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.context.suspend().catch(ignore), IDLE_MS);
  }

  private addMixer() {
    // Streams with more than two channels are downmixed before the mixer.
    const mixer = new AudioWorkletNode(this.context, 'mixer', { outputChannelCount: [2], channelCount: 2, channelCountMode: 'clamped-max' });
    mixer.port.addEventListener('message', ({ data }: MessageEvent<MixerReport>) => this.events.onReport(data));
    mixer.port.start();
    mixer.addEventListener('processorerror', () => this.removeMixer(mixer));
    this.source.connect(mixer).connect(this.volume);
    this.mixer = mixer;
    this.events.onMixer(true);
  }

  /** The processor threw, after which its node outputs silence. */
  private removeMixer(mixer: AudioWorkletNode) {
    this.source.disconnect(mixer);
    mixer.disconnect();
    this.mixer = null;
    this.setDirectGain(1);
    this.events.onMixer(false);
  }
}

/** Puts the mixer's code in the browser's cache. */
export const preloadMixer = (): Promise<unknown> => fetch(mixerUrl, { priority: 'low' });

export type CreateGraph = (events: GraphEvents) => AudioGraph;

/** @throws if the browser refuses an audio context */
export const createAudioGraph = (media: HTMLMediaElement, events: GraphEvents): AudioGraph => new WebAudioGraph(media, events);
