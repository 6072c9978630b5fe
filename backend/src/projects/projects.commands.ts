import { Command } from '@nestjs/cqrs';
import type { EditPermissionsBody, EditProjectBody, InviteUsersBody, NewProjectBody } from '@roughmix/contracts/projects/project.api.js';
import type { NewProjectAnswer, ProjectRemovedAnswer, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

export class CreateProject extends Command<CommandAnswer<NewProjectAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly body: NewProjectBody,
  ) {
    super();
  }
}

export class EditProject extends Command<CommandAnswer<UpdatedProjectAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly projectId: Id,
    readonly body: EditProjectBody,
  ) {
    super();
  }
}

export class InviteUsers extends Command<CommandAnswer<UpdatedProjectAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly projectId: Id,
    readonly body: InviteUsersBody,
  ) {
    super();
  }
}

export class EditPermissions extends Command<CommandAnswer<UpdatedProjectAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly projectId: Id,
    readonly body: EditPermissionsBody,
  ) {
    super();
  }
}

export class TakeOverProject extends Command<CommandAnswer<UpdatedProjectAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly projectId: Id,
  ) {
    super();
  }
}

export class LeaveProject extends Command<CommandAnswer<undefined>> {
  constructor(
    readonly context: CommandContext,
    readonly projectId: Id,
  ) {
    super();
  }
}

export class RemoveProject extends Command<CommandAnswer<ProjectRemovedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly projectId: Id,
  ) {
    super();
  }
}
