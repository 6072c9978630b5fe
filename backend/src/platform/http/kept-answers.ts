import { LRUCache } from 'lru-cache';
import { ReadyAnswer } from './ready-answer.js';
import type { ReadModels } from '../projections/read-models.js';
import type { SeenDocument } from '../projections/read-scope.js';

/** Bytes of kept answers: bodies, plain and compressed, and the documents that they were made of. */
const MOST_BYTES = 16_000_000;
/** Estimate for one document, which stays in memory with the answer. */
const DOCUMENT_BYTES = 1_000;

interface Kept {
  readonly answer: ReadyAnswer<object>;
  readonly seen: readonly SeenDocument[];
}

/**
 * Answers as they were sent, given again as long as every document that they were made of is the one that would be read now: looking sixty documents up
 * is little beside making a page of them. Nothing has to be told of changes. Where documents are not held in memory nothing is kept.
 */
export class KeptAnswers {
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ answer, seen }) => answer.size + seen.length * DOCUMENT_BYTES,
  });

  /** @param onAnswer told whether an answer was made or given as it was kept */
  constructor(
    private readonly reads: ReadModels,
    private readonly onAnswer?: (outcome: 'made' | 'kept') => void,
  ) {}

  /**
   * @param key names what is asked and by whom
   * @param make depends on the key and on documents alone
   */
  async answer<Body extends object>(key: string, make: () => Promise<Body>): Promise<ReadyAnswer<Body>> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.reads.areSame(kept.seen)) {
      this.onAnswer?.('kept');
      return kept.answer;
    }
    this.onAnswer?.('made');
    this.#kept.delete(key);
    const { answer, seen } = await this.reads.watched(make);
    const ready = new ReadyAnswer(answer);
    if (seen !== null && this.reads.areSame(seen)) this.#kept.set(key, { answer: ready, seen });
    return ready;
  }

  /** Nothing that was made before is held any longer. */
  forget(): void {
    this.#kept.clear();
  }
}
