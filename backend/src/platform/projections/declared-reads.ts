import type { Projector, Read } from '../../kernel/projector.js';

/** Returns the reads unchanged. @throws Error if one is not covered by the projector's declared collections and indexes, because it would scan everything */
export function declaredReads({ name, collections }: Projector, reads: readonly Read[]): readonly Read[] {
  for (const read of reads) {
    const own = collections.find((collection) => collection.name === read.collection);
    const isIndexed = !('where' in read) || own?.indexes.some(({ field }) => field === read.where.field) === true;
    if (own === undefined || !isIndexed) throw new Error(`${name} reads ${read.collection} without a declared index`);
  }
  return reads;
}
