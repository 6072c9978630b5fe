import { LRUCache } from 'lru-cache';
import type { Document } from './documents.js';

/** Cache size in characters of JSON: enough for the pages of some hundred active projects. Decoded documents take a few times as much memory. */
const MOST_CHARACTERS = 8_000_000;

/** Larger writes block caching for whole collections: a rebuild would otherwise track hundreds of thousands of ids that are never read. */
const MANY = 1_000;

/** Overhead per document. */
const EACH = 200;

interface Known {
  readonly body: Document | null;
  readonly weight: number;
}

/**
 * A cache of decoded documents for the only process that writes them. A document is left out while it is being written, so cached ones always equal the
 * stored ones. Bodies are shared and therefore frozen.
 */
export class KnownDocuments {
  readonly #known = new LRUCache<string, Known>({ maxSize: MOST_CHARACTERS, sizeCalculation: ({ weight }) => weight });
  /** The number of writes in progress per document. */
  readonly #written = new Map<string, number>();

  /** A document's body, null if it does not exist, undefined if it is not cached. */
  get(collection: number, id: string): Document | null | undefined {
    return this.#known.get(keyOf(collection, id))?.body;
  }

  /** Decodes and caches a stored document (null: it does not exist). @throws SyntaxError */
  decode(collection: number, id: string, text: string | null): Document | null {
    const key = keyOf(collection, id);
    const body = text === null ? null : frozen(JSON.parse(text) as Document);
    if (!this.#written.has(key) && !this.#written.has(allOf(collection))) this.#known.set(key, { body, weight: (text?.length ?? 0) + EACH });
    return body;
  }

  /** Leaves these documents out of the cache until the write has ended, successfully or not. */
  async whileWritten<Answer>(
    documents: readonly (readonly [collection: number, id: string, ...rest: unknown[]])[],
    write: () => Promise<Answer>,
  ): Promise<Answer> {
    const isMany = documents.length > MANY;
    const keys = isMany ? new Set(documents.map(([collection]) => allOf(collection))) : documents.map(([collection, id]) => keyOf(collection, id));
    for (const key of keys) this.#written.set(key, (this.#written.get(key) ?? 0) + 1);
    if (this.#known.size > 0) for (const [collection, id] of documents) this.#known.delete(keyOf(collection, id));
    try {
      return await write();
    } finally {
      for (const key of keys) {
        const others = (this.#written.get(key) ?? 1) - 1;
        if (others === 0) this.#written.delete(key);
        else this.#written.set(key, others);
      }
    }
  }

  /** Empties the cache. */
  clear(): void {
    this.#known.clear();
  }
}

/** The key for all documents of a collection. */
const allOf = (collection: number): string => `${collection}`;
const keyOf = (collection: number, id: string): string => `${collection}/${id}`;

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
