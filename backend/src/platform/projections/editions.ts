import { createHash } from 'node:crypto';
import type { Projector } from '../../kernel/projector.js';
import type { DocumentBatch, DocumentStore } from '../documents/documents.js';

/**
 * All projectors of a program with their versions. Programs of the same edition share read models and take turns to build them; other editions have
 * their own, so each is kept current by a process that knows its versions. '' is the edition of a single process, and of programs before editions.
 */
export type Edition = string;

/** The edition of a program with these projectors; it changes whenever a projector is added, removed or gets another version. */
export function editionOf(projectors: readonly Pick<Projector, 'name' | 'version'>[]): Edition {
  const versions = projectors.map(({ name, version }) => `${name} ${version}`).toSorted();
  return `e${createHash('sha256').update(versions.join('\n')).digest('hex').slice(0, 8)}`;
}

/** The lease that decides which process builds the read models of an edition. */
export const projectorLease = (edition: Edition): string => (edition === '' ? 'projector' : `projector-${edition}`);

const prefixOf = (edition: Edition): string => (edition === '' ? '' : `${edition}_`);

/** The edition that a stored collection belongs to; null for one that is no read model, such as the snapshots. */
export function editionIn(collection: string): Edition | null {
  const found = /^(?:(e[0-9a-f]{8})_)?.+_v\d+_g\d+$/.exec(collection);
  return found === null ? null : (found[1] ?? '');
}

/** The part of a store that belongs to one edition: its collections, checkpoints and facts, without their prefix. The caller keeps ownership of the store. */
export function editionDocuments(documents: DocumentStore, edition: Edition): DocumentStore {
  const prefix = prefixOf(edition);
  if (prefix === '') return documents;
  const stored = (name: string): string => prefix + name;
  const within = <Named extends { readonly collection: string }>(named: Named): Named => ({ ...named, collection: stored(named.collection) });
  const batchOf = ({ projector, checkpoint, writes }: DocumentBatch): DocumentBatch => ({
    projector: stored(projector),
    checkpoint,
    writes: writes.map(within),
  });
  return {
    savesAtomically: documents.savesAtomically,
    declare: (spec) => documents.declare({ ...spec, name: stored(spec.name) }),
    get: (collection, id) => documents.get(stored(collection), id),
    getMany: (collection, ids) => documents.getMany(stored(collection), ids),
    known: (collection, id) => documents.known(stored(collection), id),
    find: (collection, query) => documents.find(stored(collection), query),
    matches: (collection, query) => documents.matches(stored(collection), query),
    load: (keys) => documents.load(keys.map(within)),
    save: (batch) => documents.save(batchOf(batch)),
    checkpoint: (projector) => documents.checkpoint(stored(projector)),
    checkpoints: async (projectors) => new Map([...(await documents.checkpoints(projectors.map(stored)))].map(([name, at]) => [name.slice(prefix.length), at])),
    setFact: (name, value, options) => documents.setFact(stored(name), value, options),
    fact: (name) => documents.fact(stored(name)),
    takeFact: (name, options) => documents.takeFact(stored(name), options),
    drop: (collection, projector) => documents.drop(stored(collection), projector === undefined ? undefined : stored(projector)),
    collections: async () => (await documents.collections()).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
    scrub: () => documents.scrub(),
    close: () => documents.close(),
  };
}
