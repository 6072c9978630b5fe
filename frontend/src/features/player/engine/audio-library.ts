import type { Limitation, Track } from '../player-state';
import type { AudioGraph } from './audio-graph';
import { type Channels, DecodedTracks, type DecodedTracksOptions, NoMixer } from './decoded-tracks';
import { neighboursOf } from './neighbours';
import { sameTrack } from './same-track';

/** A stream that has not started by then is slow, or fails. */
const SLOW_STREAM_MS = 1_000;

export interface LibraryOptions extends Pick<DecodedTracksOptions, 'capBytes' | 'fetchAudio'> {
  /** Decodes to one or two channels at the graph's sample rate. */
  readonly decode: (graph: AudioGraph, bytes: ArrayBuffer) => Promise<Channels>;
}

interface LibraryParts extends Pick<DecodedTracksOptions, 'onReady' | 'onFailed'> {
  readonly graph: AudioGraph;
  readonly gainOf: (trackId: string) => number;
}

/** The decoded audio in the mixer, and what is prefetched for it. */
export class AudioLibrary {
  private readonly decoded: DecodedTracks;
  /** True until it failed to load, and again once it has loaded late. */
  private hasMixer = true;
  private due: Track | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tracks: readonly Track[] = [];
  private prefetching = new AbortController();
  private prefetched: Promise<void> = Promise.resolve();
  private setMixerLoaded: ((isLoaded: boolean) => void) | null = null;
  private readonly mixerLoaded = new Promise<boolean>((resolve) => (this.setMixerLoaded = resolve));

  constructor(
    private readonly options: LibraryOptions,
    private readonly parts: LibraryParts,
  ) {
    const { graph } = parts;
    this.decoded = new DecodedTracks({
      ...options,
      ...parts,
      sampleRate: () => graph.sampleRate,
      decode: (bytes) => this.decode(bytes),
      add: (trackId, channels) => this.addToMixer(trackId, channels),
      remove: (trackId) => graph.post({ type: 'dropTrack', trackId }),
    });
  }

  readonly has = (track: Track) => this.decoded.has(track.versionId);
  readonly isLoading = (track: Track) => sameTrack(track, this.due) || this.decoded.isLoading(track.versionId);
  readonly forget = (track: Track) => {
    if (sameTrack(track, this.due)) this.due = null;
    this.decoded.forget(track.versionId);
  };
  readonly load = (track: Track) => this.decoded.load(track);
  /** Loads a track once its stream has started, so that the two do not compete for the connection. */
  readonly loadSoon = (track: Track) => {
    this.due = track;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.loadDue, SLOW_STREAM_MS);
  };

  readonly loadDue = () => {
    if (this.due) this.load(this.due);
    this.due = null;
  };

  /** Loads a track that began to play before the mixer was there, if nothing loads it yet. */
  readonly loadLate = (track: Track | null) => {
    if (track !== null && !this.isLoading(track)) this.load(track);
  };

  readonly onMixer = (isLoaded: boolean) => {
    this.hasMixer = isLoaded;
    this.setMixerLoaded?.(isLoaded);
    // Pending downloads fail when they are about to be decoded.
    if (!isLoaded) this.decoded.drop(this.has);
  };

  /** Why a track is not decoded; null if it is or will be. */
  readonly limitationOf = (track: Track): Limitation | null => {
    if (!this.hasMixer) return 'no-web-audio';
    if (this.decoded.isUndecodable(track)) return 'undecodable';
    return this.decoded.isTooLong(track) ? 'long-file' : null;
  };

  /** Pins these tracks: they are not evicted. */
  readonly keep = (tracks: readonly (Track | null)[]) => {
    if (!tracks.some((track) => sameTrack(track, this.due))) this.due = null;
    this.decoded.keep(tracks.flatMap((track) => track?.versionId ?? []));
  };

  readonly setTracks = (tracks: readonly Track[]) => {
    this.tracks = tracks;
  };

  /** Prefetches the neighbours, one file at a time, after the download that is in progress. Replaces an earlier list. */
  readonly prefetchAround = (track: Track) => {
    this.prefetching.abort();
    if (!this.hasMixer) return;
    this.prefetching = new AbortController();
    const { signal } = this.prefetching;
    this.prefetched = this.prefetched.then(() => this.decoded.prefetch(neighboursOf(this.tracks, track), signal));
  };

  readonly drop = (isDropped: (track: Track) => boolean) => {
    this.prefetching.abort();
    this.decoded.drop(isDropped);
  };

  private async decode(bytes: ArrayBuffer): Promise<Channels> {
    await this.mixerLoaded;
    const channels = this.hasMixer ? await this.options.decode(this.parts.graph, bytes) : [];
    if (!this.hasMixer) throw new NoMixer('there is no mixer');
    return channels;
  }

  private addToMixer(trackId: string, channels: Channels) {
    const { graph, gainOf } = this.parts;
    const buffers = channels.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
    const command = { type: 'addTrack', trackId, channels, gain: gainOf(trackId) } as const;
    try {
      graph.post(command, buffers);
    } catch {
      // Fallback for browsers in which an audio buffer's samples cannot be transferred: copy them.
      graph.post(command);
    }
  }
}
