/** A store did not answer in time, is closed or refuses temporarily: 503 with Retry-After. */
export class ServiceUnavailable extends Error {
  override readonly name = 'ServiceUnavailable';
}

/** The disk is full: nothing was written, reads continue. 507. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/**
 * Stored bytes differ from what was written; nothing was changed. Carries the file, the offset in it, and for a log the last intact position (null if
 * unknown).
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
