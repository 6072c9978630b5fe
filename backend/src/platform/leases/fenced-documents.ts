import type { DocumentStore } from '../documents/documents.js';
import { LeaseLost, type Term } from './lease.js';

/**
 * The documents as written by the holder of a lease. The term is checked before each write, so a process that was frozen finishes at most the call it was
 * in. Facts carry the fence of the term, so they cannot replace those of the next holder.
 * @throws LeaseLost, Fenced from every write when the term has ended
 */
export function fencedDocuments(documents: DocumentStore, term: Term): DocumentStore {
  const { fence } = term;
  const whileHeld = <Answer>(write: () => Promise<Answer>): Promise<Answer> =>
    term.isHeld() ? write() : Promise.reject(new LeaseLost('another process builds the read models now'));
  return {
    savesAtomically: documents.savesAtomically,
    declare: (spec) => whileHeld(() => documents.declare(spec)),
    save: (batch) => whileHeld(() => documents.save(batch)),
    setFact: (name, value) => whileHeld(() => documents.setFact(name, value, fence === null ? undefined : { fence })),
    takeFact: (name, options) => whileHeld(() => documents.takeFact(name, options)),
    drop: (collection, projector) => whileHeld(() => documents.drop(collection, projector)),
    get: (collection, id) => documents.get(collection, id),
    getMany: (collection, ids) => documents.getMany(collection, ids),
    known: (collection, id) => documents.known(collection, id),
    find: (collection, query) => documents.find(collection, query),
    matches: (collection, query) => documents.matches(collection, query),
    load: (keys) => documents.load(keys),
    checkpoint: (projector) => documents.checkpoint(projector),
    checkpoints: (projectors) => documents.checkpoints(projectors),
    fact: (name) => documents.fact(name),
    collections: () => documents.collections(),
    scrub: () => documents.scrub(),
    close: () => documents.close(),
  };
}
