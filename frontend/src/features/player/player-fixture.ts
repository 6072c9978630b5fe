import type { PlayerMedia, Track } from './player-state';
import { createPlayerStore } from './player-store';

/** A media element under the spec's control: metadata loads on `loadMetadata`, time advances on `advanceTo`. */
export class FakeMediaElement extends EventTarget implements PlayerMedia {
  src = '';
  crossOrigin: string | null = null;
  preload: '' | 'none' | 'metadata' | 'auto' = 'auto';
  currentTime = 0;
  volume = 1;
  muted = false;
  playbackRate = 1;
  defaultPlaybackRate = 1;
  buffered: TimeRanges = { length: 0, start: () => 0, end: () => 0 };
  paused = true;
  error: MediaError | null = null;
  /** What `canPlayType` answers. */
  support: CanPlayTypeResult = 'maybe';
  readonly loaded: string[] = [];
  playError: DOMException | null = null;

  canPlayType(): CanPlayTypeResult {
    return this.support;
  }
  play(): Promise<void> {
    if (this.playError) return Promise.reject(this.playError);
    this.paused = false;
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
  }
  load(): void {
    this.loaded.push(this.src);
    this.currentTime = 0;
  }
  removeAttribute(name: string): void {
    if (name === 'src') this.src = '';
  }
  loadMetadata(): void {
    this.dispatchEvent(new Event('loadedmetadata'));
  }
  fail(code: 2 | 3 | 4): void {
    this.error = { code, message: '', MEDIA_ERR_ABORTED: 1, MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3, MEDIA_ERR_SRC_NOT_SUPPORTED: 4 };
    this.dispatchEvent(new Event('error'));
  }
  advanceTo(seconds: number): void {
    this.currentTime = seconds;
    this.dispatchEvent(new Event('timeupdate'));
  }
}

export const first: Track = { versionId: 'v1', projectId: 'p1', url: '/api/media/v1/audio', duration: 100, loudness: -12, codec: 'mp3' };
export const second: Track = { versionId: 'v2', projectId: 'p1', url: '/api/media/v2/audio', duration: 60, loudness: -14, codec: 'mp3' };

/** A player with a track that has not been played yet. */
export function aPlayer(storage?: Storage) {
  const media = new FakeMediaElement();
  const store = createPlayerStore({ media, storage });
  store.load(first);
  return { media, store };
}

/** A player whose track is loaded and playing. */
export function playing(storage?: Storage) {
  const { media, store } = aPlayer(storage);
  store.play();
  media.loadMetadata();
  return { media, store };
}
