import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { DiskFull } from '../store-errors.js';
import { CONFIG } from '../tokens.js';

/** Space on the disk of DATA_DIR that files may not take, so that the log and the vault can always be written. The space of an S3 server is not known. */
@Injectable()
export class DiskReserve {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'DATA_DIR' | 'DISK_RESERVE' | 'S3_ENDPOINT'>) {}

  /** @throws DiskFull if a file of this size would take space of the reserve */
  async require(size: number): Promise<void> {
    const { DATA_DIR, DISK_RESERVE, S3_ENDPOINT } = this.config;
    if (S3_ENDPOINT !== null || DISK_RESERVE === 0) return;
    const { bavail, bsize } = await statfs(DATA_DIR);
    if (bavail * bsize - size < DISK_RESERVE) throw new DiskFull('only the reserve is left');
  }
}
