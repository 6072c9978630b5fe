import type { Id } from '@roughmix/contracts/shared/ids.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useState } from 'react';

interface Selection {
  readonly id: Id;
  /** Its index in the list, to select its predecessor once it is removed. */
  readonly at: number;
}

/** Finds a version by id or number, either of which a URL may contain. */
const wanted = (versions: readonly VersionView[], name: string | null) => versions.find((version) => version._id === name || versionNumber(version) === name);

const latest = (versions: readonly VersionView[]) => versions.findLast(({ state }) => state !== 'rejected') ?? versions.at(-1);

/**
 * The selected version: the requested one, else the latest that can be played. When it is removed, its predecessor is selected, else the latest.
 * @param named id or number from the page's URL
 */
export function useVersionSelection(versions: readonly VersionView[], named: string | null): readonly [VersionView | null, (id: Id) => void] {
  const [selection, setSelection] = useState<Selection | null>(null);
  // A version that was just added may be selected before it is in the list.
  const [awaited, setAwaited] = useState<Id | null>(null);
  const place = (id: Id | null) => versions.findIndex(({ _id }) => _id === id);
  const first = () => wanted(versions, named) ?? latest(versions);
  const version = versions[place(awaited)] ?? (selection === null ? first() : (versions[place(selection.id)] ?? versions[selection.at - 1] ?? versions.at(-1)));
  const at = place(version?._id ?? null);
  if (version !== undefined && (selection?.id !== version._id || selection.at !== at)) setSelection({ id: version._id, at });
  if (awaited !== null && place(awaited) !== -1) setAwaited(null);
  return [version ?? null, setAwaited];
}
