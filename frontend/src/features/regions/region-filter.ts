import type { ShownRegion } from './shown-region';

/** An empty list matches everything; empty `versions` means the selected version. */
export interface RegionFilter {
  readonly users: readonly string[];
  readonly categories: readonly string[];
  readonly versions: readonly string[];
}

export const NO_FILTER: RegionFilter = { users: [], categories: [], versions: [] };

export const isFiltering = ({ users, categories, versions }: RegionFilter): boolean => users.length + categories.length + versions.length > 0;

const matches = (wanted: readonly string[], value: string) => wanted.length === 0 || wanted.includes(value);

/** The regions on the wave: those that match the filter, and the draft. */
export function filterRegions(regions: readonly ShownRegion[], filter: RegionFilter, selectedVersionId: string | null): readonly ShownRegion[] {
  const versions = filter.versions.length > 0 ? filter.versions : selectedVersionId === null ? [] : [selectedVersionId];
  return regions.filter(
    ({ isDraft, saved, tag, versionId }) =>
      (isDraft && versionId === selectedVersionId) ||
      (!isDraft && versions.includes(versionId) && matches(filter.users, saved?.author.uid ?? '') && matches(filter.categories, tag)),
  );
}
