import type { DocumentStore } from '../documents/documents.js';
import { LeaseLost, type Term } from './lease.js';

/**
 * Documents as the holder of a lease writes them: before each write it is asked whether the term still lasts, so that a process that was frozen finishes
 * at most the one call it was in, and facts carry the term's fence, so that the next holder's stay.
 * @throws LeaseLost, Fenced from every write when the term is over
 */
export function fencedDocuments(documents: DocumentStore, term: Term): DocumentStore {
  const { fence } = term;
  const held = <Answer>(write: () => Promise<Answer>): Promise<Answer> =>
    term.isHeld() ? write() : Promise.reject(new LeaseLost('read models are built by another process by now'));
  return {
    savesWhole: documents.savesWhole,
    declare: (spec) => held(() => documents.declare(spec)),
    save: (batch) => held(() => documents.save(batch)),
    setFact: (name, value) => held(() => documents.setFact(name, value, fence === null ? undefined : { fence })),
    takeFact: (name, options) => held(() => documents.takeFact(name, options)),
    drop: (collection, projector) => held(() => documents.drop(collection, projector)),
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
