import { Injectable } from '@nestjs/common';
import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { UsersQueries } from '../users/users.queries.js';
import { type CollectionDocument, COLLECTIONS } from './collections.documents.js';

@Injectable()
export class CollectionsQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly users: UsersQueries,
  ) {}

  /** Oldest first. */
  async ofOwner(ownerUid: Uid): Promise<readonly CollectionView[]> {
    return this.views(await this.documentsOf(ownerUid));
  }

  /** Null when there is none. */
  async one(collectionId: Id): Promise<CollectionView | null> {
    const document = await this.reads.get<CollectionDocument>(COLLECTIONS, collectionId);
    return document === null ? null : ((await this.views([document]))[0] ?? null);
  }

  /** The ids of those that exist. The caller has checked whose they are. */
  async existing(collectionIds: readonly Id[]): Promise<ReadonlySet<Id>> {
    return new Set((await this.reads.getManyById<CollectionDocument>(COLLECTIONS, collectionIds)).keys());
  }

  /** The collections that the removal of a project at this position changed, unless they were changed again since. */
  async changedByRemoval(position: Position): Promise<readonly CollectionView[]> {
    return this.views(await this.reads.find<CollectionDocument>(COLLECTIONS, { where: { field: 'position', value: position }, limit: LIMITS.collections }));
  }

  /** The removed projects whose removal is the last change of one of a user's collections, if it came after a position. */
  async projectsRemovedSince(ownerUid: Uid, after: Position): Promise<readonly Id[]> {
    const documents = await this.documentsOf(ownerUid);
    return documents.flatMap(({ removedProjectId, position }) => (removedProjectId !== null && position > after ? [removedProjectId] : []));
  }

  private documentsOf(ownerUid: Uid): Promise<readonly CollectionDocument[]> {
    const where = { field: 'ownerUid', value: ownerUid };
    return this.reads.find<CollectionDocument>(COLLECTIONS, { where, sort: 'ascending', limit: LIMITS.collections });
  }

  private async views(documents: readonly CollectionDocument[]): Promise<readonly CollectionView[]> {
    const people = await this.users.people(documents.map(({ ownerUid }) => ownerUid));
    return documents.map(({ collectionId, title, projectIds, ownerUid, dateAdded, dateModified, position }) => ({
      _id: collectionId,
      type: 'collection',
      title,
      projects: projectIds,
      owner: people(ownerUid),
      userPermissions: { read: [], write: [] },
      dateAdded,
      dateModified,
      position,
    }));
  }
}
