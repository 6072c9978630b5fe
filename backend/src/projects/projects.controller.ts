import { Body, Controller, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import { EditPermissionsBody, EditProjectBody, InviteUsersBody, NewProjectBody, ProjectIdBody } from '@roughmix/contracts/projects/project.api.js';
import { isMember } from '@roughmix/contracts/projects/project.access.js';
import type {
  ListedProjectsAnswer,
  NewProjectAnswer,
  ProjectAnswer,
  ProjectRemovedAnswer,
  ProjectsAnswer,
  UpdatedProjectAnswer,
} from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { RemovalBody } from '@roughmix/contracts/shared/removal.api.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { ActorParam, type Caller, CurrentCaller } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { AnswerCache } from '../platform/http/answer-cache.js';
import { LongBody } from '../platform/http/long-body.js';
import type { SerializedAnswer } from '../platform/http/serialized-answer.js';
import { PrefersMinimal, RETURN_MINIMAL } from '../platform/http/prefer.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { ProjectOpenings } from './project-openings.queries.js';
import { ProjectPageQueries } from './project-page.queries.js';
import { CreateProject, EditPermissions, EditProject, InviteUsers, LeaveProject, RemoveProject, TakeOverProject } from './projects.commands.js';
import { ProjectsQueries } from './projects.queries.js';

/** @throws Refused `project.not-found` if the body names another project than the path */
function sameProject(inPath: Id, inBody: string | undefined): void {
  if (inBody !== undefined && inBody !== inPath) throw new Refused('project.not-found');
}

@Controller('api/projects')
export class ProjectsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly access: ProjectAccessQueries,
    private readonly projects: ProjectsQueries,
    private readonly pages: ProjectPageQueries,
    private readonly openings: ProjectOpenings,
    private readonly answers: AnswerCache,
  ) {}

  @Get(':uid')
  @ActorParam('uid')
  async list(
    @CurrentCaller() { uid, isGuest }: Caller,
    @PrefersMinimal() isMinimal: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ProjectsAnswer | ListedProjectsAnswer> {
    if (!isMinimal) return { projects: await this.projects.list(uid, isGuest) };
    void reply.header('Preference-Applied', RETURN_MINIMAL);
    return { projects: await this.projects.briefList(uid, isGuest) };
  }

  @Get(':projectId/visitor/:uid')
  @ActorParam('uid')
  async page(@CurrentCaller() { uid }: Caller, @Param('projectId') projectId: Id): Promise<SerializedAnswer<ProjectPageAnswer>> {
    const answer = await this.answers.getOrMake(`${uid} project-page ${projectId}`, () => this.pages.page(projectId, uid));
    await this.openings.note(projectId, uid);
    return answer;
  }

  @Get(':ownerUid/:projectId')
  async one(@CurrentCaller() caller: Caller, @Param('ownerUid') ownerUid: string, @Param('projectId') projectId: Id): Promise<ProjectAnswer> {
    const seen = await this.access.require(projectId, caller.uid);
    if (!isMember(seen.who) || seen.project.ownerUid !== ownerUid) throw new Refused('project.not-found');
    return { project: await this.projects.viewOf(seen) };
  }

  @Post('newProject')
  @LongBody()
  create(@CurrentContext() context: CommandContext, @Body() body: NewProjectBody): Promise<CommandAnswer<NewProjectAnswer>> {
    return this.commands.execute(new CreateProject(context, body));
  }

  @Put(':projectId')
  @LongBody()
  edit(
    @CurrentContext() context: CommandContext,
    @Param('projectId') projectId: Id,
    @Body() body: EditProjectBody,
  ): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    sameProject(projectId, body.projectId);
    return this.commands.execute(new EditProject(context, projectId, body));
  }

  @Put(':ownerUid/inviteUsers/:projectId')
  @ActorParam('ownerUid')
  invite(
    @CurrentContext() context: CommandContext,
    @Param('projectId') projectId: Id,
    @Body() body: InviteUsersBody,
  ): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    sameProject(projectId, body.projectId);
    return this.commands.execute(new InviteUsers(context, projectId, body));
  }

  @Put(':ownerUid/editPermissions/:projectId')
  @ActorParam('ownerUid')
  editPermissions(
    @CurrentContext() context: CommandContext,
    @Param('projectId') projectId: Id,
    @Body() body: EditPermissionsBody,
  ): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    sameProject(projectId, body.projectId);
    return this.commands.execute(new EditPermissions(context, projectId, body));
  }

  @Post(':projectId/takeOver')
  @HttpCode(200)
  takeOver(
    @CurrentContext() context: CommandContext,
    @Param('projectId') projectId: Id,
    @Body() body: ProjectIdBody,
  ): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    sameProject(projectId, body.projectId);
    return this.commands.execute(new TakeOverProject(context, projectId));
  }

  @Post(':projectId/leave')
  @HttpCode(204)
  leave(@CurrentContext() context: CommandContext, @Param('projectId') projectId: Id, @Body() body: ProjectIdBody): Promise<CommandAnswer<undefined>> {
    sameProject(projectId, body.projectId);
    return this.commands.execute(new LeaveProject(context, projectId));
  }

  @Post('removeProject/:projectId')
  @HttpCode(200)
  remove(
    @CurrentContext() context: CommandContext,
    @Param('projectId') projectId: Id,
    @Body() body: RemovalBody,
  ): Promise<CommandAnswer<ProjectRemovedAnswer>> {
    sameProject(projectId, body.projectId);
    return this.commands.execute(new RemoveProject(context, projectId));
  }
}
