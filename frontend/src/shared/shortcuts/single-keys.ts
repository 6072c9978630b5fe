const KEY = 'roughmix.single-key-shortcuts';

const listeners = new Set<() => void>();
/** The choice of this visit, for browsers that block storage. */
let chosen: boolean | null = null;

/** False when this browser's user has turned off shortcuts of a single character. */
export function areSingleKeysOn(): boolean {
  if (chosen !== null) return chosen;
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Remembers the choice in this browser. */
export function turnSingleKeys(isOn: boolean): void {
  chosen = isOn;
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Storage is blocked: the choice holds for this visit.
  }
  for (const notify of listeners) notify();
}

/** For `useSyncExternalStore`. */
export function onSingleKeys(listener: () => void): () => void {
  // Follows a choice made in another tab.
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== KEY && key !== null) return;
    chosen = null;
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}
