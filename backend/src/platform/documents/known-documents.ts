import { LRUCache } from 'lru-cache';
import type { Document } from './documents.js';

/** So many characters of JSON are kept decoded: with some hundred projects in use everything that their pages show. Decoded it takes a few times as much. */
const MOST_CHARACTERS = 8_000_000;

/** A write of more documents than this counts as one of all documents of their collections: a rebuild would note hundreds of thousands that are not read. */
const MANY = 1_000;

/** What one document counts, however short it is: its keys and its place. */
const EACH = 200;

interface Known {
  readonly body: Document | null;
  readonly weight: number;
}

/**
 * Documents that were read lately, decoded, for a process that alone writes them. What is being written is unknown until that has ended, so whoever finds a
 * document here finds what the file holds. Bodies are handed to everybody who asks: they are frozen.
 */
export class KnownDocuments {
  readonly #known = new LRUCache<string, Known>({ maxSize: MOST_CHARACTERS, sizeCalculation: ({ weight }) => weight });
  /** How many writes of a document are under way. */
  readonly #written = new Map<string, number>();

  /** The body of a document, null when there is none, undefined when neither is known here. */
  get(collection: number, id: string): Document | null | undefined {
    return this.#known.get(keyOf(collection, id))?.body;
  }

  /** Decodes what the file holds now (null: nothing), and remembers it. @throws SyntaxError */
  decode(collection: number, id: string, text: string | null): Document | null {
    const key = keyOf(collection, id);
    const body = text === null ? null : frozen(JSON.parse(text) as Document);
    if (!this.#written.has(key) && !this.#written.has(allOf(collection))) this.#known.set(key, { body, weight: (text?.length ?? 0) + EACH });
    return body;
  }

  /** Nothing is known of these documents from here on until the write has ended, well or not. */
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

  /** Nothing is known of anything. */
  clear(): void {
    this.#known.clear();
  }
}

/** Stands for every document of a collection. */
const allOf = (collection: number): string => `${collection}`;
const keyOf = (collection: number, id: string): string => `${collection}/${id}`;

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
