import type { Id } from '@roughmix/contracts/shared/ids.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useState } from 'react';

interface Heard {
  readonly id: Id;
  /** Its place in the list, from where the one before it is found once it is gone. */
  readonly at: number;
}

/** By its id, or by its number as an address may say it. */
const wanted = (versions: readonly VersionView[], name: string | null) => versions.find((version) => version._id === name || versionNumber(version) === name);

/**
 * Which version is heard: the one asked for, else the current one. When it is removed, the one before it, or the latest.
 * @param named what the page's address asks for, an id or a number
 */
export function useHeardVersion(versions: readonly VersionView[], named: string | null): readonly [VersionView | null, (id: Id) => void] {
  const [heard, setHeard] = useState<Heard | null>(null);
  // One that was just added may be asked for before the list with it has been drawn.
  const [awaited, setAwaited] = useState<Id | null>(null);
  const place = (id: Id | null) => versions.findIndex(({ _id }) => _id === id);
  const first = () => wanted(versions, named) ?? versions.at(-1);
  const version = versions[place(awaited)] ?? (heard === null ? first() : (versions[place(heard.id)] ?? versions[heard.at - 1] ?? versions.at(-1)));
  const at = place(version?._id ?? null);
  if (version !== undefined && (heard?.id !== version._id || heard.at !== at)) setHeard({ id: version._id, at });
  if (awaited !== null && place(awaited) !== -1) setAwaited(null);
  return [version ?? null, setAwaited];
}
