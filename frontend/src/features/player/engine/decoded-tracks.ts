import type { Track } from '../player-state';
import { decodedBytes } from './memory-cap';
import { AudioRefused, type FetchAudioOptions } from './fetch-audio';

/** Decoded audio at the context's sample rate, one or two channels. */
export type Channels = readonly Float32Array[];

export interface DecodedTracksOptions {
  readonly sampleRate: () => number;
  /** Upper limit of all decoded audio, in bytes. */
  readonly capBytes: number;
  readonly fetchAudio: (url: string, options: FetchAudioOptions) => Promise<ArrayBuffer>;
  readonly decode: (bytes: ArrayBuffer) => Promise<Channels>;
  /** Transfers the audio to the mixer. */
  readonly add: (trackId: string, channels: Channels) => void;
  readonly remove: (trackId: string) => void;
  readonly onReady: (track: Track) => void;
  readonly onFailed: (track: Track, failure: DecodeFailure) => void;
}

/**
 * `refused`: the server does not send it. `lost`: the download failed, so a later retry may succeed. `no-mixer`: nothing can play it for now.
 * `undecodable`: a retry never succeeds.
 */
export type DecodeFailure = 'refused' | 'lost' | 'no-mixer' | 'undecodable';

class Undecodable extends Error {}

/** Thrown by `decode` while there is nothing that plays decoded audio. */
export class NoMixer extends Error {}

function failureOf(error: unknown): DecodeFailure {
  if (error instanceof AudioRefused) return 'refused';
  if (error instanceof NoMixer) return 'no-mixer';
  return error instanceof Undecodable ? 'undecodable' : 'lost';
}

interface Entry {
  readonly track: Track;
  readonly loading: AbortController | null;
  readonly bytes: number;
  readonly usedAt: number;
}

/** An LRU cache of the decoded audio in the mixer, including downloads in progress. */
export class DecodedTracks {
  private readonly entries = new Map<string, Entry>();
  private readonly undecodable = new Set<string>();
  private readonly kept = new Set<string>();
  private readonly stale = new Set<string>();
  private uses = 0;
  /** Decoding takes twice the memory, so one file at a time. */
  private decoding: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: DecodedTracksOptions) {}

  readonly has = (versionId: string): boolean => this.entries.get(versionId)?.loading === null;
  readonly isLoading = (versionId: string): boolean => !this.has(versionId) && this.entries.has(versionId);
  readonly isTooLong = (track: Track): boolean => this.estimate(track) > this.options.capBytes;
  readonly isUndecodable = (track: Track): boolean => this.undecodable.has(track.versionId);
  readonly canDecode = (track: Track): boolean => !this.isTooLong(track) && !this.isUndecodable(track);

  /** Pins versions: the playing one, and the one to switch to. */
  readonly keep = (versionIds: readonly string[]) => {
    this.kept.clear();
    for (const versionId of versionIds) {
      this.kept.add(versionId);
      const entry = this.entries.get(versionId);
      if (entry) this.entries.set(versionId, { ...entry, usedAt: (this.uses += 1) });
    }
    for (const versionId of this.stale) if (!this.kept.has(versionId)) this.remove(versionId);
    this.evict(0);
  };

  /** The file was replaced: drops its audio as soon as it is not pinned. */
  readonly forget = (versionId: string) => {
    this.undecodable.delete(versionId);
    if (this.kept.has(versionId) && this.has(versionId)) this.stale.add(versionId);
    else this.remove(versionId);
  };

  /** Loads a track that will be played. */
  readonly load = (track: Track) => {
    if (this.entries.has(track.versionId) || !this.canDecode(track)) return;
    void this.run(track, 'high');
  };

  /** Loads tracks that may be played, in this order, one at a time, and only into free room. */
  readonly prefetch = async (tracks: readonly Track[], signal: AbortSignal): Promise<void> => {
    for (const track of tracks) {
      if (signal.aborted) return;
      if (this.entries.has(track.versionId) || !this.canDecode(track) || this.total() + this.estimate(track) > this.options.capBytes) continue;
      await this.run(track, 'low');
    }
  };

  readonly drop = (isDropped: (track: Track) => boolean) => {
    for (const { track } of this.entries.values()) if (isDropped(track)) this.remove(track.versionId);
  };

  private estimate(track: Track): number {
    return decodedBytes(track, this.options.sampleRate());
  }

  private total(): number {
    return [...this.entries.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private async run(track: Track, priority: RequestPriority): Promise<void> {
    const { versionId, url } = track;
    const loading = new AbortController();
    this.entries.set(versionId, { track, loading, bytes: this.estimate(track), usedAt: (this.uses += 1) });
    try {
      const file = await this.options.fetchAudio(url, { signal: loading.signal, priority });
      const channels = await this.decode(file, loading.signal);
      if (loading.signal.aborted) return;
      this.add(track, channels);
    } catch (error) {
      if (loading.signal.aborted) return;
      this.entries.delete(versionId);
      const failure = failureOf(error);
      if (failure === 'undecodable') this.undecodable.add(versionId);
      this.options.onFailed(track, failure);
    }
  }

  private async decode(file: ArrayBuffer, signal: AbortSignal): Promise<Channels> {
    const turn = this.decoding;
    const decoded = (async () => {
      await turn;
      signal.throwIfAborted();
      return this.options.decode(file).catch((error: unknown) => {
        throw error instanceof NoMixer ? error : new Undecodable('the browser cannot decode this audio', { cause: error });
      });
    })();
    this.decoding = decoded.catch(() => undefined);
    return decoded;
  }

  private add(track: Track, channels: Channels) {
    const bytes = channels.reduce((sum, channel) => sum + channel.byteLength, 0);
    const usedAt = this.entries.get(track.versionId)?.usedAt ?? 0;
    this.evict(bytes, track.versionId);
    this.entries.set(track.versionId, { track, loading: null, bytes, usedAt });
    this.options.add(track.versionId, channels);
    this.options.onReady(track);
  }

  /** Drops the least recently used tracks until there is room. Pinned tracks may exceed the limit until a switch has finished. */
  private evict(room: number, except?: string) {
    const oldestFirst = [...this.entries.values()].filter(({ loading }) => loading === null).toSorted((one, other) => one.usedAt - other.usedAt);
    for (const { track } of oldestFirst) {
      if (this.decodedBytes() + room <= this.options.capBytes) return;
      if (!this.kept.has(track.versionId) && track.versionId !== except) this.remove(track.versionId);
    }
  }

  private decodedBytes(): number {
    return [...this.entries.values()].reduce((sum, { bytes, loading }) => (loading === null ? sum + bytes : sum), 0);
  }

  private remove(versionId: string) {
    const entry = this.entries.get(versionId);
    this.stale.delete(versionId);
    this.entries.delete(versionId);
    entry?.loading?.abort();
    if (entry?.loading === null) this.options.remove(versionId);
  }
}
