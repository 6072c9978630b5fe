import type { Document, FindQuery, DocumentStore, DocumentWrite } from '../platform/documents/documents.js';

/** One test's own document database: `open` after a close finds the stored documents again; `remove` deletes them. */
export interface TestDatabase {
  readonly open: () => Promise<DocumentStore>;
  readonly remove: () => Promise<void>;
}

export const REGIONS = {
  name: 'regions_v1',
  indexes: [{ field: 'projectId' }, { field: 'projectId', sort: 'start' }, { field: 'tags' }, { field: 'owner.uid', sort: 'name' }, { field: 'members.uid' }],
} as const;

export const region = (id: string, position: number, body: Document | null): DocumentWrite => ({ collection: REGIONS.name, id, position, body });

/** An open store with the regions collection declared, for the contract suite. */
export class DocumentStoreFixture {
  #opened: DocumentStore | null = null;
  #database: TestDatabase | null = null;

  get store(): DocumentStore {
    if (this.#opened === null) throw new Error('no document store is open');
    return this.#opened;
  }

  async begin(database: TestDatabase): Promise<void> {
    this.#database = database;
    await this.open();
  }

  async end(): Promise<void> {
    await this.store.close();
    await this.#database?.remove();
  }

  /** Opens the store that the tests use from here on. */
  async open(): Promise<void> {
    this.#opened = await this.openAnother();
  }

  /** Opens a second store on the same database; the caller closes it. */
  async openAnother(): Promise<DocumentStore> {
    if (this.#database === null) throw new Error('there is no database for a document store');
    const store = await this.#database.open();
    await store.declare(REGIONS);
    return store;
  }

  async reopen(): Promise<void> {
    await this.store.close();
    await this.open();
  }

  save(checkpoint: number, ...writes: DocumentWrite[]): Promise<void> {
    return this.store.save({ projector: 'regions', checkpoint, writes });
  }

  /** The ids of the regions that a query finds, in result order. */
  async ids(query: FindQuery): Promise<unknown[]> {
    return (await this.store.find(REGIONS.name, query)).map(({ _id }) => _id);
  }
}
