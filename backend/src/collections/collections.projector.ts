import type { CollectionEvents } from '@roughmix/contracts/collections/collection.events.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import { type Id, withoutIds } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { bodiesOf, type Found, projector, type Projector, put, type Read, remove, removeWhere, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type CollectionDocument, COLLECTIONS, REMOVED_PROJECTS, type RemovedProjectDocument } from './collections.documents.js';

const removalsOf = (projectIds: readonly Id[]): readonly Read[] => projectIds.map((id) => ({ collection: REMOVED_PROJECTS, id }));

/** The added projects without those that were removed before the event. */
function stillThere(projectIds: readonly Id[], { position }: StoredEvent, found: Found): readonly Id[] {
  const removed = bodiesOf<RemovedProjectDocument>(found).filter((removal) => removal.position < position);
  return withoutIds(
    projectIds,
    removed.map(({ projectId }) => projectId),
  );
}

/** `projectIds` finds the collections of a removed project; `position` those that a removal changed, for its pushes. */
export const collectionsProjector: Projector = projector<CollectionEvents & Pick<ProjectEvents, 'ProjectRemoved'> & Pick<UserEvents, 'UserErased'>>(
  {
    name: 'collections',
    version: 2,
    collections: [
      { name: COLLECTIONS, indexes: [{ field: 'ownerUid', sort: 'addedAt' }, { field: 'projectIds' }, { field: 'position' }] },
      { name: REMOVED_PROJECTS, indexes: [] },
    ],
  },
  {
    CollectionAdded: {
      reads: ({ data }) => removalsOf(data.projectIds),
      project(event, found) {
        const { data, meta, position } = event;
        const projectIds = stillThere(data.projectIds, event, found);
        const dates = { dateAdded: meta.at, dateModified: meta.at, addedAt: position };
        return [put<CollectionDocument>(COLLECTIONS, data.collectionId, { ...data, projectIds, ...dates, position, removedProjectId: null })];
      },
    },
    CollectionEdited: {
      reads: ({ data }) => removalsOf(data.added),
      project(event, found) {
        const { data, meta, position } = event;
        const added = stillThere(data.added, event, found);
        return [
          update<CollectionDocument>(COLLECTIONS, data.collectionId, (old) => ({
            ...old,
            title: data.to,
            projectIds: [...withoutIds(old.projectIds, [...data.removed, ...added]), ...added],
            dateModified: meta.at,
            position,
            removedProjectId: null,
          })),
        ];
      },
    },
    CollectionRemoved: ({ data }) => [remove(COLLECTIONS, data.collectionId)],
    ProjectRemoved: {
      reads: (event) => [{ collection: COLLECTIONS, where: { field: 'projectIds', value: idInStream(event) } }],
      project(event, found) {
        const { position } = event;
        const removedProjectId = idInStream(event);
        const removed = put<RemovedProjectDocument>(REMOVED_PROJECTS, removedProjectId, { projectId: removedProjectId, position });
        const taken = found.flat().map(({ id }) =>
          update<CollectionDocument>(COLLECTIONS, id, (old) => ({
            ...old,
            projectIds: withoutIds(old.projectIds, [removedProjectId]),
            position,
            removedProjectId,
          })),
        );
        return [removed, ...taken];
      },
    },
    UserErased: removeWhere<UserEvents['UserErased']>(COLLECTIONS, 'ownerUid', ({ data }) => data.uid),
  },
);
