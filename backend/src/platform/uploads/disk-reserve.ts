import { statfs } from 'node:fs/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { DiskFull } from '../store-errors.js';
import { CONFIG, LOG } from '../tokens.js';

/** The part of the program's log that is used here. */
interface ReserveLog {
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

type ReserveConfig = Pick<Config, 'DATA_DIR' | 'DISK_RESERVE' | 'S3_ENDPOINT'>;

/** Bytes on the disk of DATA_DIR that files may not take; 0 where files are on S3, whose space is not known. */
export const reserveOf = ({ DISK_RESERVE, S3_ENDPOINT }: Omit<ReserveConfig, 'DATA_DIR'>): number => (S3_ENDPOINT === null ? DISK_RESERVE : 0);

/** Space that files may not take, so that the log and the vault can always be written. Logs when only the reserve is left, at the start or later, and when there is room again. */
@Injectable()
export class DiskReserve implements OnApplicationBootstrap {
  private isReached = false;

  constructor(
    @Inject(CONFIG) private readonly config: ReserveConfig,
    @Inject(LOG) private readonly log: ReserveLog,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.hasRoomFor(0);
  }

  /** @throws DiskFull if a file of this size would take space of the reserve */
  async require(size: number): Promise<void> {
    if (!(await this.hasRoomFor(size))) throw new DiskFull('only the reserve is left');
  }

  private async hasRoomFor(size: number): Promise<boolean> {
    const reserve = reserveOf(this.config);
    if (reserve === 0) return true;
    const { bavail, bsize } = await statfs(this.config.DATA_DIR);
    const freeBytes = bavail * bsize;
    const hasRoom = freeBytes - size >= reserve;
    this.note(!hasRoom, freeBytes);
    return hasRoom;
  }

  /** Each change is logged once, however many uploads are refused meanwhile. */
  private note(isReached: boolean, freeBytes: number): void {
    if (isReached === this.isReached) return;
    this.isReached = isReached;
    const facts = { freeBytes, reserveBytes: reserveOf(this.config) };
    if (isReached) this.log.warn(facts, 'the disk of DATA_DIR has only DISK_RESERVE left: uploads are refused until space is free');
    else this.log.info(facts, 'the disk of DATA_DIR has room for uploads again');
  }
}
