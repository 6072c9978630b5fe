import type { Collection } from 'mongodb';
import type { MongoConnection } from '../mongo/mongo-connection.js';
import { duplicatesIn } from '../mongo/mongo-errors.js';
import type { DocumentBatch } from './documents.js';
import { saveDocuments, type StoredDocument } from './mongo-save.js';

/** A projector's checkpoint as stored in MongoDB. */
export interface StoredCheckpoint {
  readonly _id: string;
  readonly position: number;
}

/** The collections that batches are saved to. */
export interface SavePlaces {
  readonly connection: MongoConnection;
  /** Throws for undeclared collections. */
  readonly collectionOf: (name: string) => Collection<StoredDocument>;
  readonly checkpoints: () => Collection<StoredCheckpoint>;
}

interface Saving {
  readonly batch: DocumentBatch;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Combines the batches saved in one turn of the event loop, such as those of all projectors for one page: their documents concurrently, then one call with the
 * checkpoints of those whose documents are saved. Each projector has one batch in progress at a time.
 */
export class MongoSharedSaves {
  #begun: Saving[] = [];

  constructor(private readonly places: SavePlaces) {}

  /** @throws ServiceUnavailable, DiskFull: nothing is saved, or a prefix that a retry completes */
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

  /** Retries once after a concurrent insert of a checkpoint. */
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
