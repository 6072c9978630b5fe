/** A version's number as people read it. */
export const versionNumber = (version: { readonly majorUpdate: number; readonly minorUpdate: number }): string =>
  `${version.majorUpdate}.${version.minorUpdate}`;

/** How the next version counts on: a minor one keeps the major number, a major one starts its minor numbers again. */
export type UpdateType = 'minor' | 'major';

/** The number that follows the highest one ever given in a project; the first is 1.0. */
export function nextNumber(
  highest: { readonly major: number; readonly minor: number } | null,
  updateType: UpdateType,
): { readonly major: number; readonly minor: number } {
  if (highest === null) return { major: 1, minor: 0 };
  return updateType === 'major' ? { major: highest.major + 1, minor: 0 } : { major: highest.major, minor: highest.minor + 1 };
}
