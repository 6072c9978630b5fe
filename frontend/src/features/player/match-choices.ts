import type { VolumeStorage } from './stored-volume';

const keyOf = (projectId: string) => `roughmix.match.${projectId}`;

export const toLinearGain = (db: number): number => 10 ** (db / 20);

/** Loudness match per project: on unless it was turned off. */
export interface MatchChoices {
  readonly get: (projectId: string) => boolean;
  readonly set: (projectId: string, isMatched: boolean) => void;
}

export function createMatchChoices(storage: VolumeStorage | undefined): MatchChoices {
  const chosen = new Map<string, boolean>();
  const stored = (projectId: string): boolean => {
    try {
      return storage?.getItem(keyOf(projectId)) !== 'off';
    } catch {
      return true;
    }
  };
  return {
    get: (projectId) => chosen.get(projectId) ?? stored(projectId),
    set: (projectId, isMatched) => {
      chosen.set(projectId, isMatched);
      try {
        storage?.setItem(keyOf(projectId), isMatched ? 'on' : 'off');
      } catch {
        // Storage is full or disabled: keep the choice for this visit only.
      }
    },
  };
}
