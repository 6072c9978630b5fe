import { Command } from '@nestjs/cqrs';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { InitialVersion, NewVersionSubmission } from '@roughmix/contracts/versions/version.api.js';
import type { VersionAddedAnswer, VersionAnswer } from '@roughmix/contracts/versions/version.view.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

/** The first version of a new project. */
export class AddFirstVersion extends Command<CommandAnswer<VersionAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly version: InitialVersion,
  ) {
    super();
  }
}

export class AddVersion extends Command<CommandAnswer<VersionAddedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly version: NewVersionSubmission,
  ) {
    super();
  }
}

/** Replaces the file of a rejected version. */
export class ReplaceVersion extends Command<CommandAnswer<VersionAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly versionId: Id,
    readonly upload: { readonly projectId: Id | undefined; readonly uploadId: Id },
  ) {
    super();
  }
}

export class RemoveVersion extends Command<CommandAnswer<UpdatedProjectAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly versionId: Id,
    readonly projectId: Id | undefined,
  ) {
    super();
  }
}
