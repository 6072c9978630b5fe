/** A store did not answer in time, is closed or refuses for now. The caller may try again: 503 with Retry-After. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
}

/** There is no room left on the disk: nothing was written, reads go on. 507. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/**
 * Stored bytes are not what was written. Carries the file and the offset in it, and for a log the position up to which it is intact (null when
 * unknown); nothing was changed.
 */
export class StoreDamaged extends Error {
  override readonly name = 'StoreDamaged';
  constructor(
    message: string,
    readonly file: string,
    readonly offset: number,
    readonly intactTo: number | null = null,
  ) {
    super(message);
  }
}
