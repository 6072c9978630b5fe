import { Command } from '@nestjs/cqrs';
import type { EditCollectionBody, NewCollectionBody } from '@roughmix/contracts/collections/collection.api.js';
import type {
  CollectionRemovedAnswer,
  CollectionsAnswer,
  NewCollectionAnswer,
  UpdatedCollectionAnswer,
} from '@roughmix/contracts/collections/collection.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

export class AddCollection extends Command<CommandAnswer<NewCollectionAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly body: NewCollectionBody,
  ) {
    super();
  }
}

export class EditCollection extends Command<CommandAnswer<UpdatedCollectionAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly collectionId: Id,
    readonly body: EditCollectionBody,
  ) {
    super();
  }
}

/** From all the caller's collections. */
export class TakeOutProject extends Command<CommandAnswer<CollectionsAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly projectId: Id,
  ) {
    super();
  }
}

export class RemoveCollection extends Command<CommandAnswer<CollectionRemovedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly collectionId: Id,
  ) {
    super();
  }
}
