import type { Collection } from 'mongodb';
import type { MongoConnection } from '../mongo/mongo-connection.js';
import { duplicatesIn } from '../mongo/mongo-errors.js';
import type { DocumentBatch } from './documents.js';
import { saveDocuments, type StoredDocument } from './mongo-save.js';

/** A projector's checkpoint as it lies in MongoDB. */
export interface StoredCheckpoint {
  readonly _id: string;
  readonly position: number;
}

/** Where batches are saved. */
export interface SavePlaces {
  readonly connection: MongoConnection;
  /** Throws for what is not declared. */
  readonly collectionOf: (name: string) => Collection<StoredDocument>;
  readonly checkpoints: () => Collection<StoredCheckpoint>;
}

interface Saving {
  readonly batch: DocumentBatch;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Batches saved in the same turn of the event loop, as those of all projectors for one page are: their documents side by side, then, in one call, the checkpoints
 * of those whose documents are there. A projector has one of them under way at a time.
 */
export class MongoSharedSaves {
  #begun: Saving[] = [];

  constructor(private readonly places: SavePlaces) {}

  /** @throws StoreAway, DiskFull: nothing of it, or a prefix that saving again completes */
  save(batch: DocumentBatch): Promise<void> {
    return new Promise((done, fail) => {
      if (this.#begun.push({ batch, done, fail }) === 1) setImmediate(() => void this.#saveTogether());
    });
  }

  async #saveTogether(): Promise<void> {
    const { connection, collectionOf } = this.places;
    const savings = this.#begun;
    this.#begun = [];
    const written = await Promise.allSettled(savings.map(({ batch }) => saveDocuments(connection, collectionOf, batch.writes)));
    const saved: Saving[] = [];
    savings.forEach((saving, at) => {
      const outcome = written[at];
      if (outcome?.status === 'fulfilled') saved.push(saving);
      else saving.fail(outcome?.reason);
    });
    try {
      if (saved.length > 0) await this.#reach(saved.map(({ batch }) => batch));
      for (const { done } of saved) done();
    } catch (error) {
      for (const { fail } of saved) fail(error);
    }
  }

  /** A checkpoint that somebody else inserted at this moment is there now: it is asked once more. */
  async #reach(batches: readonly DocumentBatch[]): Promise<void> {
    const checkpoints = this.places.checkpoints();
    await this.places.connection.call(async (session) => {
      try {
        await checkpoints.bulkWrite(moves(batches, true), { ordered: false, session });
      } catch (error) {
        const taken = new Set(duplicatesIn(error));
        const again = batches.filter((_, at) => taken.has(at));
        await checkpoints.bulkWrite(moves(again, false), { ordered: false, session });
      }
    });
  }
}

const moves = (batches: readonly DocumentBatch[], upsert: boolean) =>
  batches.map(({ projector, checkpoint }) => ({ updateOne: { filter: { _id: projector }, update: { $max: { position: checkpoint } }, upsert } }));
