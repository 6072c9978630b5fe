/** Where the volume is kept between visits: `localStorage`, or anything like it. */
export type VolumeStorage = Pick<Storage, 'getItem' | 'setItem'>;

export interface StoredVolume {
  readonly volume: number;
  readonly muted: boolean;
}

const KEY = 'roughmix.volume';
const LOUD: StoredVolume = { volume: 1, muted: false };

const isStored = (value: unknown): value is StoredVolume =>
  typeof value === 'object' &&
  value !== null &&
  'volume' in value &&
  'muted' in value &&
  typeof value.volume === 'number' &&
  value.volume >= 0 &&
  value.volume <= 1 &&
  typeof value.muted === 'boolean';

/** The volume of the last visit; full and not muted on the first, or where nothing can be kept. */
export function readVolume(storage: VolumeStorage | undefined): StoredVolume {
  try {
    const value: unknown = JSON.parse(storage?.getItem(KEY) ?? 'null');
    return isStored(value) ? { volume: value.volume, muted: value.muted } : LOUD;
  } catch {
    // Storage can be shut off, or hold what somebody else wrote there: neither keeps the page from playing.
    return LOUD;
  }
}

export function writeVolume(storage: VolumeStorage | undefined, stored: StoredVolume): void {
  try {
    storage?.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Full or shut off: the volume holds for this visit only.
  }
}
