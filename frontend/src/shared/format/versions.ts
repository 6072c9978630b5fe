/** The number of a version. */
export interface VersionNumber {
  readonly majorUpdate: number;
  readonly minorUpdate: number;
}

/** `{ majorUpdate: 2, minorUpdate: 1 }` is '2.1'. */
export const formatVersion = ({ majorUpdate, minorUpdate }: VersionNumber): string => `${majorUpdate}.${minorUpdate}`;
