import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type {
  CollectionRemovedAnswer,
  CollectionsAnswer,
  NewCollectionAnswer,
  UpdatedCollectionAnswer,
} from '@roughmix/contracts/collections/collection.view.js';
import { mayCollect } from '@roughmix/contracts/collections/collection.access.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { idFrom } from '../platform/ids.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { collectionIn } from './collection.decider.js';
import { CollectionStreams } from './collection.streams.js';
import { AddCollection, EditCollection, RemoveCollection, TakeOutProject } from './collections.commands.js';
import { CollectionsQueries } from './collections.queries.js';

/** Each id once. @throws Refused if one of the projects belongs to another user or does not exist for this one */
async function requireOwn(access: ProjectAccessQueries, projectIds: readonly Id[], uid: Uid): Promise<readonly Id[]> {
  const seen = await access.allSeenBy(projectIds, uid);
  for (const id of projectIds) {
    const who = seen.get(id)?.who;
    if (who === undefined) throw new Refused('project.not-found');
    if (!mayCollect(who)) throw new Refused('project.not-allowed');
  }
  return [...seen.keys()];
}

@CommandHandler(AddCollection)
export class AddCollectionHandler implements ICommandHandler<AddCollection> {
  constructor(
    private readonly streams: CollectionStreams,
    private readonly collections: CollectionsQueries,
    private readonly access: ProjectAccessQueries,
  ) {}

  async execute({ context, uid, body: { submission } }: AddCollection): Promise<CommandAnswer<NewCollectionAnswer>> {
    const collectionId = idFrom('collection', uid, context.commandId);
    const done = await this.streams.run(context, uid, async () => {
      const projectIds = await requireOwn(this.access, submission.projects ?? [], uid);
      return { type: 'AddCollection', data: { collectionId, title: submission.title, projectIds } };
    });
    return this.streams.answer(done, async () => ({ newCollection: await this.collections.one(collectionId) }));
  }
}

@CommandHandler(EditCollection)
export class EditCollectionHandler implements ICommandHandler<EditCollection> {
  constructor(
    private readonly streams: CollectionStreams,
    private readonly collections: CollectionsQueries,
    private readonly access: ProjectAccessQueries,
  ) {}

  async execute({ context, uid, collectionId, body }: EditCollection): Promise<CommandAnswer<UpdatedCollectionAnswer>> {
    const { title, projectIds = [], willAdd } = body;
    if ((body.projectIds === undefined) !== (willAdd === undefined)) {
      throw new Refused('request.invalid', { field: willAdd === undefined ? 'willAdd' : 'projectIds' });
    }
    const done = await this.streams.run(context, uid, async () => {
      if (collectionIn(await this.streams.state(uid), collectionId) === undefined) throw new Refused('collection.not-found');
      const added = willAdd === true ? await requireOwn(this.access, projectIds, uid) : [];
      // The stream still lists removed projects, which are out of the collection already.
      const removed = willAdd === true ? [] : [...(await this.access.allSeenBy(projectIds, uid)).keys()];
      return { type: 'EditCollection', data: { collectionId, title, added, removed } };
    });
    return this.streams.answer(done, async () => ({ updatedCollection: await this.collections.one(collectionId) }));
  }
}

@CommandHandler(TakeOutProject)
export class TakeOutProjectHandler implements ICommandHandler<TakeOutProject> {
  constructor(
    private readonly streams: CollectionStreams,
    private readonly collections: CollectionsQueries,
    private readonly access: ProjectAccessQueries,
  ) {}

  async execute({ context, uid, projectId }: TakeOutProject): Promise<CommandAnswer<CollectionsAnswer>> {
    const done = await this.streams.run(context, uid, async () => {
      await this.access.require(projectId, uid);
      return { type: 'TakeOutProject', data: { projectId } };
    });
    return this.streams.answer(done, async () => ({ collections: await this.collections.ofOwner(uid) }));
  }
}

@CommandHandler(RemoveCollection)
export class RemoveCollectionHandler implements ICommandHandler<RemoveCollection> {
  constructor(private readonly streams: CollectionStreams) {}

  async execute({ context, uid, collectionId }: RemoveCollection): Promise<CommandAnswer<CollectionRemovedAnswer>> {
    const done = await this.streams.run(context, uid, { type: 'RemoveCollection', data: { collectionId } });
    return this.streams.answer(done, () => Promise.resolve({ success: true }));
  }
}

export const collectionHandlers = [AddCollectionHandler, EditCollectionHandler, TakeOutProjectHandler, RemoveCollectionHandler];
