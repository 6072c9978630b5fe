import type { CollectionEvents } from '@roughmix/contracts/collections/collection.events.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import { projector, type Projector, put, remove, removeWhere, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type CollectionDocument, COLLECTIONS } from './collections.documents.js';

const without = (projectIds: readonly Id[], gone: readonly Id[]): readonly Id[] => projectIds.filter((id) => !gone.includes(id));

/** `projectIds` finds the collections of a removed project; `position` those that a removal changed, for its pushes. */
export const collectionsProjector: Projector = projector<CollectionEvents & Pick<ProjectEvents, 'ProjectRemoved'> & Pick<UserEvents, 'UserErased'>>(
  {
    name: 'collections',
    version: 1,
    collections: [{ name: COLLECTIONS, indexes: [{ field: 'ownerUid', sort: 'addedAt' }, { field: 'projectIds' }, { field: 'position' }] }],
  },
  {
    CollectionAdded: ({ data, meta: { at }, position }) => [
      put<CollectionDocument>(COLLECTIONS, data.collectionId, {
        ...data,
        dateAdded: at,
        dateModified: at,
        addedAt: position,
        position,
        removedProjectId: null,
      }),
    ],
    CollectionEdited: ({ data: { collectionId, to, added, removed }, meta, position }) => [
      update<CollectionDocument>(COLLECTIONS, collectionId, (old) => ({
        ...old,
        title: to,
        projectIds: [...without(old.projectIds, [...removed, ...added]), ...added],
        dateModified: meta.at,
        position,
        removedProjectId: null,
      })),
    ],
    CollectionRemoved: ({ data }) => [remove(COLLECTIONS, data.collectionId)],
    ProjectRemoved: {
      reads: (event) => [{ collection: COLLECTIONS, where: { field: 'projectIds', value: idInStream(event) } }],
      project(event, found) {
        const { position } = event;
        const removedProjectId = idInStream(event);
        return found.flat().map(({ id }) =>
          update<CollectionDocument>(COLLECTIONS, id, (old) => ({
            ...old,
            projectIds: without(old.projectIds, [removedProjectId]),
            position,
            removedProjectId,
          })),
        );
      },
    },
    UserErased: removeWhere<UserEvents['UserErased']>(COLLECTIONS, 'ownerUid', ({ data }) => data.uid),
  },
);
