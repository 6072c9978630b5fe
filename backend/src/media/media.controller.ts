import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { RemovalBody } from '@roughmix/contracts/shared/removal.api.js';
import { ConfirmVersionBody, InitialVersionBody, NewVersionBody, ReplaceVersionBody } from '@roughmix/contracts/versions/version.api.js';
import type { VersionAddedAnswer, VersionAnswer, VersionsAnswer } from '@roughmix/contracts/versions/version.view.js';
import { Refused } from '../kernel/refusal.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { CommandAnswer } from '../platform/http/command-answer.js';
import { PrefersMinimal } from '../platform/http/prefer.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { idsOf } from '../projects/project-access.queries.js';
import { uidOf } from '../projects/project.streams.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { VersionsQueries } from '../versions/versions.queries.js';
import { AddFirstVersion, AddVersion, RemoveVersion, ReplaceVersion } from './media.commands.js';

@Controller('api')
export class MediaController {
  constructor(
    private readonly commands: CommandBus,
    private readonly versions: VersionsQueries,
    private readonly projects: ProjectsQueries,
  ) {}

  @Get('media/:ids')
  async byIds(@CurrentCaller() caller: Caller, @Param('ids') ids: string): Promise<VersionsAnswer> {
    return { versions: await this.versions.byIds(idsOf(ids, LIMITS.idsInOneCall), caller.uid) };
  }

  @Get('media/lite/:ids')
  lite(@CurrentCaller() caller: Caller, @Param('ids') ids: string): Promise<VersionsAnswer> {
    return this.byIds(caller, ids);
  }

  @Post('media/newProject')
  addFirst(@CurrentContext() context: CommandContext, @Body() body: InitialVersionBody): Promise<CommandAnswer<VersionAnswer>> {
    return this.commands.execute(new AddFirstVersion(context, body.initialVersion));
  }

  @Post('media')
  add(@CurrentContext() context: CommandContext, @Body() body: NewVersionBody): Promise<CommandAnswer<VersionAddedAnswer>> {
    return this.commands.execute(new AddVersion(context, body.submission));
  }

  /** The last step of creating a project, required by the spec: nothing is left to do but to return the version. */
  @Put('projects/:projectId/newVersion')
  confirm(
    @CurrentCaller() { uid }: Caller,
    @PrefersMinimal() isMinimal: boolean,
    @Param('projectId') projectId: Id,
    @Body() { versionId }: ConfirmVersionBody,
  ): Promise<CommandAnswer<VersionAnswer>> {
    return this.existing({ actor: { uid }, isMinimal }, versionId, projectId);
  }

  @Put('media/:versionId')
  replace(
    @CurrentContext() context: CommandContext,
    @Param('versionId') versionId: Id,
    @Body() { projectId, uploadId }: ReplaceVersionBody,
  ): Promise<CommandAnswer<VersionAnswer>> {
    if (uploadId === undefined) return this.existing(context, versionId, projectId);
    return this.commands.execute(new ReplaceVersion(context, versionId, { projectId, uploadId }));
  }

  @Post('media/:versionId')
  @HttpCode(200)
  remove(
    @CurrentContext() context: CommandContext,
    @Param('versionId') versionId: Id,
    @Body() body: RemovalBody,
  ): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    return this.commands.execute(new RemoveVersion(context, versionId, body.projectId));
  }

  /** The second half of removing a project, required by the spec: a reactor already deletes the files. */
  @Post('media/removeProject/:ids')
  @HttpCode(204)
  removeFiles(@Param('ids') ids: string): void {
    idsOf(ids, LIMITS.idsInOneCall);
  }

  /** An existing version, as the response of a command that changes nothing. */
  private async existing(context: Pick<CommandContext, 'actor' | 'isMinimal'>, versionId: Id, named?: Id): Promise<CommandAnswer<VersionAnswer>> {
    const uid = uidOf(context);
    const { projectId } = (await this.versions.require(versionId, uid, named)).version;
    const [version] = await this.versions.byIds([versionId], uid);
    if (version === undefined) throw new Refused('version.not-found');
    return new CommandAnswer<VersionAnswer>({ version, ...(await this.projects.updated(context, projectId)) }, null, false);
  }
}
