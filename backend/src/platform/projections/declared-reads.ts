import type { Projector, Read } from '../../kernel/projector.js';

/** The reads of an event as they are. @throws Error for one that is none of the projector's own collections and indexes: a full scan is never silent */
export function declaredReads({ name, collections }: Projector, reads: readonly Read[]): readonly Read[] {
  for (const read of reads) {
    const own = collections.find((collection) => collection.name === read.collection);
    const isIndexed = !('where' in read) || own?.indexes.some(({ field }) => field === read.where.field) === true;
    if (own === undefined || !isIndexed) throw new Error(`${name} reads ${read.collection} by what it has not declared`);
  }
  return reads;
}
