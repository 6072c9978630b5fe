/** Storage of the volume between visits, such as `localStorage`. */
export type VolumeStorage = Pick<Storage, 'getItem' | 'setItem'>;

export interface StoredVolume {
  readonly volume: number;
  readonly muted: boolean;
}

const KEY = 'roughmix.volume';
const DEFAULT_VOLUME: StoredVolume = { volume: 1, muted: false };

const isStored = (value: unknown): value is StoredVolume =>
  typeof value === 'object' &&
  value !== null &&
  'volume' in value &&
  'muted' in value &&
  typeof value.volume === 'number' &&
  value.volume >= 0 &&
  value.volume <= 1 &&
  typeof value.muted === 'boolean';

/** The stored volume; full and unmuted if none is stored. */
export function readVolume(storage: VolumeStorage | undefined): StoredVolume {
  try {
    const value: unknown = JSON.parse(storage?.getItem(KEY) ?? 'null');
    return isStored(value) ? { volume: value.volume, muted: value.muted } : DEFAULT_VOLUME;
  } catch {
    // Storage may be disabled, or its content invalid: use the default.
    return DEFAULT_VOLUME;
  }
}

export function writeVolume(storage: VolumeStorage | undefined, stored: StoredVolume): void {
  try {
    storage?.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Storage is full or disabled: the volume lasts for this visit only.
  }
}
