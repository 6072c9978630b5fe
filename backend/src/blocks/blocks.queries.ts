import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { BLOCKS, type BlocksDocument } from './blocks.documents.js';

/** Whom a user blocks. */
export type Blocked = Pick<BlocksDocument, 'uids' | 'position'>;

/** Who blocks whom. Only the blocker may learn of it: others get answers without a reason. */
@Injectable()
export class BlocksQueries {
  constructor(private readonly reads: ReadModels) {}

  /** Whom a user blocks, and the position of the last change. */
  async of(uid: Uid): Promise<Blocked> {
    return (await this.reads.get<BlocksDocument>(BLOCKS, uid)) ?? { uids: [], position: 0 };
  }

  /** Everyone who blocks a user. */
  async blockersOf(uid: Uid): Promise<ReadonlySet<Uid>> {
    const blockers = new Set<Uid>();
    for await (const document of this.reads.findAll<BlocksDocument>(BLOCKS, { field: 'uids', value: uid }, (found) => ({ id: found.uid, sort: found.uid }))) {
      blockers.add(document.uid);
    }
    return blockers;
  }

  /** Those of the people who block a user: that user may neither add them to anything nor write to them. */
  async blockersAmong(uids: readonly Uid[], uid: Uid): Promise<readonly Uid[]> {
    const found = await this.reads.getMany<BlocksDocument>(BLOCKS, uids);
    return found.filter((document) => document.uids.includes(uid)).map((document) => document.uid);
  }
}
