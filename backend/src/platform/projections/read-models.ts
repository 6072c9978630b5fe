import type { Document, DocumentStore, FindQuery } from '../documents/documents.js';

/**
 * What queries read: documents by the collection names that projectors declare, whatever generation of them is served at the moment.
 * Bodies have the shape that their projector gives them.
 */
export class ReadModels {
  private served: ReadonlyMap<string, string> = new Map();

  constructor(private readonly documents: DocumentStore) {}

  /** From now on these collections are read from where they are stored, all at once: pairs of a collection's name and its physical one. */
  serve(stored: Iterable<readonly [collection: string, physical: string]>): void {
    this.served = new Map([...this.served, ...stored]);
  }

  async get<Doc extends object>(collection: string, id: string): Promise<Doc | null> {
    return (await this.documents.get(this.physical(collection), id)) as Doc | null;
  }

  /** Those that exist, in the order asked, doubles once. */
  async getMany<Doc extends object>(collection: string, ids: readonly string[]): Promise<readonly Doc[]> {
    const found = await this.documents.getMany(this.physical(collection), [...new Set(ids)]);
    return [...new Set(ids)].flatMap((id) => (found.get(id) as Doc | undefined) ?? []);
  }

  async find<Doc extends object>(collection: string, query: FindQuery): Promise<readonly Doc[]> {
    const found: readonly Document[] = await this.documents.find(this.physical(collection), query);
    return found as readonly Document[] & readonly Doc[];
  }

  private physical(collection: string): string {
    const name = this.served.get(collection);
    if (name === undefined) throw new Error(`no projector fills ${collection}`);
    return name;
  }
}
