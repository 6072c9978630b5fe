/** A version's number as views have it. */
export interface VersionNumber {
  readonly majorUpdate: number;
  readonly minorUpdate: number;
}

/** A version's number for display. */
export const versionNumber = (version: VersionNumber): string => `${version.majorUpdate}.${version.minorUpdate}`;

/** A minor update keeps the major number; a major one restarts the minor number at 0. */
export type UpdateType = 'minor' | 'major';

/** The number after the highest one ever given in a project; the first is 1.0. */
export function nextNumber(
  highest: { readonly major: number; readonly minor: number } | null,
  updateType: UpdateType,
): { readonly major: number; readonly minor: number } {
  if (highest === null) return { major: 1, minor: 0 };
  return updateType === 'major' ? { major: highest.major + 1, minor: 0 } : { major: highest.major, minor: highest.minor + 1 };
}
