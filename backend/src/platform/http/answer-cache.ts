import { LRUCache } from 'lru-cache';
import type { ReadModels } from '../projections/read-models.js';
import type { SeenDocument } from '../projections/read-scope.js';
import { SerializedAnswer } from './serialized-answer.js';

/** Bytes of cached answers: bodies, plain and compressed, and the documents that they were made of. */
const MAX_BYTES = 16_000_000;
/** Estimate for one document, which stays in memory with the answer. */
const DOCUMENT_BYTES = 1_000;

interface CachedAnswer {
  readonly answer: SerializedAnswer<object>;
  readonly seen: readonly SeenDocument[];
}

/**
 * Caches serialized answers. An entry is valid while a read would return the same version of every document that it was made of; that check is far
 * cheaper than building the answer, and nothing has to invalidate entries. Where documents are not held in memory, nothing is cached.
 */
export class AnswerCache {
  readonly #cache = new LRUCache<string, CachedAnswer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ answer, seen }) => answer.size + seen.length * DOCUMENT_BYTES,
  });

  /** @param onAnswer called with whether an answer was made or came from the cache (`kept`) */
  constructor(
    private readonly reads: ReadModels,
    private readonly onAnswer?: (outcome: 'made' | 'kept') => void,
  ) {}

  /**
   * @param key identifies the query, its parameters and the user
   * @param make depends on the key and on documents only
   */
  async getOrMake<Body extends object>(key: string, make: () => Promise<Body>): Promise<SerializedAnswer<Body>> {
    const cached = this.#cache.get(key);
    if (cached !== undefined && this.reads.areUnchanged(cached.seen)) {
      this.onAnswer?.('kept');
      return cached.answer;
    }
    this.onAnswer?.('made');
    this.#cache.delete(key);
    const { answer: body, seen } = await this.reads.recordReads(make);
    const answer = new SerializedAnswer(body);
    if (seen !== null && this.reads.areUnchanged(seen)) this.#cache.set(key, { answer, seen });
    return answer;
  }

  /** Removes every entry: for a destroyed data key, whose texts must not stay in memory. */
  clear(): void {
    this.#cache.clear();
  }
}
