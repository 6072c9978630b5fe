import type { Projector, Read } from '../../kernel/projector.js';

/** Returns the reads unchanged. @throws Error for one that the projector's collections and indexes do not declare: a full scan is never silent */
export function declaredReads({ name, collections }: Projector, reads: readonly Read[]): readonly Read[] {
  for (const read of reads) {
    const own = collections.find((collection) => collection.name === read.collection);
    const isIndexed = !('where' in read) || own?.indexes.some(({ field }) => field === read.where.field) === true;
    if (own === undefined || !isIndexed) throw new Error(`${name} reads ${read.collection} without a declared index`);
  }
  return reads;
}
