import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mayInvite } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { NewProjectAnswer, ProjectRemovedAnswer, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { idFrom } from '../platform/ids.js';
import { SecurityLog } from '../platform/security/security-log.js';
import type { CommandContext, Executed } from '../platform/streams/streams.js';
import { UsersQueries } from '../users/users.queries.js';
import { EditProjectHandler } from './edit-project.handler.js';
import { Invitations, memberChange } from './invitations.js';
import { withoutBlockers } from './member.decider.js';
import type { ProjectCommand } from './project.decider.js';
import { PostTextQueries } from './post-text.queries.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { answered, ProjectStreams, uidOf } from './project.streams.js';
import { QuotasQueries } from '../quotas/quotas.queries.js';
import { CreateProject, EditPermissions, InviteUsers, LeaveProject, RemoveProject, TakeOverProject } from './projects.commands.js';
import { ProjectsQueries } from './projects.queries.js';

@CommandHandler(CreateProject)
export class CreateProjectHandler implements ICommandHandler<CreateProject> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly invitations: Invitations,
    private readonly projects: ProjectsQueries,
    private readonly quotas: QuotasQueries,
    private readonly text: PostTextQueries,
  ) {}

  async execute({ context, body: { submission } }: CreateProject): Promise<CommandAnswer<NewProjectAnswer>> {
    const uid = uidOf(context);
    if (submission.projectName === '') throw new Refused('request.invalid', { field: 'projectName' });
    const projectId = idFrom('project', uid, context.commandId);
    const firstVersionId = idFrom('version', uid, context.commandId);
    const { projectName, description = '', tinySummary = '', message = '' } = submission;
    const build = async (): Promise<ProjectCommand> => {
      const wanted = await this.invitations.read(uid, submission.invitedUsers ?? [], submission.writeAccess ?? false);
      const invited = withoutBlockers(wanted.invited, wanted.blockers);
      const summary = tinySummary === '' ? '' : await this.summary(tinySummary, uid, invited);
      return { type: 'CreateProject', data: { projectId, firstVersionId, projectName, description, tinySummary: summary, invited, message } };
    };
    const done = await this.streams.run(context, projectId, build, { turn: (append) => this.quotas.addProject(uid, append) });
    return this.streams.answer(done, async () => ({ newProject: await this.projects.view(projectId, uid), versionId: firstVersionId }));
  }

  /** The first version's summary, which can mention the people who are invited with it. */
  private async summary(typed: string, uid: Uid, invited: readonly { readonly uid: Uid }[]): Promise<string> {
    const memberUids = [uid, ...invited.map((person) => person.uid)];
    return (await this.text.storeAmong({ typed, uid, memberUids, empty: 'request.invalid' })).content;
  }
}

/** Base of the handlers that change a project and return it. */
abstract class ChangeProject {
  constructor(
    protected readonly streams: ProjectStreams,
    protected readonly projects: ProjectsQueries,
  ) {}

  protected async change(
    context: CommandContext,
    projectId: Id,
    command: ProjectCommand | (() => Promise<ProjectCommand>),
  ): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    return this.updated(context, projectId, await this.streams.run(context, projectId, command));
  }

  protected updated(context: CommandContext, projectId: Id, done: Executed<ProjectStreamEvent>): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    return this.streams.answer(done, () => this.projects.updated(context, projectId));
  }
}

@CommandHandler(InviteUsers)
export class InviteUsersHandler extends ChangeProject implements ICommandHandler<InviteUsers> {
  constructor(
    streams: ProjectStreams,
    projects: ProjectsQueries,
    private readonly invitations: Invitations,
    private readonly access: ProjectAccessQueries,
  ) {
    super(streams, projects);
  }

  execute({ context, projectId, body }: InviteUsers): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    return this.change(context, projectId, async () => {
      const { who } = await this.access.require(projectId, uidOf(context));
      if (!mayInvite(who)) throw new Refused('project.not-allowed');
      const wanted = await this.invitations.read(who.uid, body.invitedUsers, body.writeAccess ?? false);
      return { type: 'InviteUsers', data: { ...wanted, message: body.message ?? '' } };
    });
  }
}

@CommandHandler(EditPermissions)
export class EditPermissionsHandler extends ChangeProject implements ICommandHandler<EditPermissions> {
  constructor(streams: ProjectStreams, projects: ProjectsQueries) {
    super(streams, projects);
  }

  execute({ context, projectId, body }: EditPermissions): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    return this.change(context, projectId, { type: 'EditPermissions', data: { changes: body.permissionDiffs.map(memberChange) } });
  }
}

@CommandHandler(TakeOverProject)
export class TakeOverProjectHandler extends ChangeProject implements ICommandHandler<TakeOverProject> {
  constructor(
    streams: ProjectStreams,
    projects: ProjectsQueries,
    private readonly users: UsersQueries,
    private readonly security: SecurityLog,
  ) {
    super(streams, projects);
  }

  async execute({ context, projectId }: TakeOverProject): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    const done = await this.streams.run(context, projectId, async () => {
      const { ownerUid } = await this.streams.state(projectId);
      const owner = await this.users.one(ownerUid);
      return { type: 'TakeOverProject', data: { erasedUid: owner?.erased === true ? ownerUid : null } };
    });
    if (!done.replayed) this.security.record('project.taken-over', { target: projectId });
    return this.updated(context, projectId, done);
  }
}

@CommandHandler(LeaveProject)
export class LeaveProjectHandler implements ICommandHandler<LeaveProject> {
  constructor(private readonly streams: ProjectStreams) {}

  async execute({ context, projectId }: LeaveProject): Promise<CommandAnswer<undefined>> {
    const done = await this.streams.run(context, projectId, { type: 'LeaveProject', data: {} }, { repeatBeforeSight: true });
    return answered(done, undefined);
  }
}

@CommandHandler(RemoveProject)
export class RemoveProjectHandler implements ICommandHandler<RemoveProject> {
  constructor(private readonly streams: ProjectStreams) {}

  async execute({ context, projectId }: RemoveProject): Promise<CommandAnswer<ProjectRemovedAnswer>> {
    const done = await this.streams.run(context, projectId, { type: 'RemoveProject', data: {} }, { repeatBeforeSight: true });
    return answered(done, { removed: projectId });
  }
}

export const projectHandlers = [
  CreateProjectHandler,
  EditProjectHandler,
  InviteUsersHandler,
  EditPermissionsHandler,
  TakeOverProjectHandler,
  LeaveProjectHandler,
  RemoveProjectHandler,
];
