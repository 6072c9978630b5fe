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
  const place = (id: Id) => versions.findIndex(({ _id }) => _id === id);
  const known = heard === null ? -1 : place(heard.id);
  const version = versions[known] ?? (heard === null ? (wanted(versions, named) ?? versions.at(-1)) : (versions[heard.at - 1] ?? versions.at(-1)));
  const at = version === undefined ? -1 : place(version._id);
  if (version !== undefined && (heard?.id !== version._id || heard.at !== at)) setHeard({ id: version._id, at });
  return [version ?? null, (id) => place(id) !== -1 && setHeard({ id, at: place(id) })];
}
