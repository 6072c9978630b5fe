import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { EditRegionBody, NewRegionBody } from '@roughmix/contracts/regions/region.api.js';
import type { RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import type { RegionAddedAnswer, RegionAnswer } from '@roughmix/contracts/regions/region.view.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { spanChangeOf } from '@roughmix/contracts/shared/marks.api.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { idFrom } from '../platform/ids.js';
import type { CommandContext, Executed } from '../platform/streams/streams.js';
import { PartsQueries } from '../projects/parts.queries.js';
import { goneView, ProjectStreams, uidOf } from '../projects/project.streams.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { RegionsQueries } from './regions.queries.js';

export class AddRegion extends Command<CommandAnswer<RegionAddedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly body: NewRegionBody,
  ) {
    super();
  }
}

export class EditRegion extends Command<CommandAnswer<RegionAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly regionId: Id,
    readonly body: EditRegionBody,
  ) {
    super();
  }
}

export class RemoveRegion extends Command<CommandAnswer<UpdatedProjectAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly regionId: Id,
    readonly projectId: Id | undefined,
  ) {
    super();
  }
}

/** An empty label means none. */
const labelOf = (label: string | null | undefined): string | null => (label === undefined || label === '' ? null : label);

/** The region after a command. */
async function shown(regions: RegionsQueries, done: Executed<ProjectStreamEvent>, { projectId, regionId }: { projectId: Id; regionId: Id }) {
  const [view] = await regions.views([regionId]);
  return view ?? goneView(done, projectId, regionId);
}

@CommandHandler(AddRegion)
export class AddRegionHandler implements ICommandHandler<AddRegion> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly projects: ProjectsQueries,
    private readonly regions: RegionsQueries,
  ) {}

  async execute({ context, body: { projectId, submission } }: AddRegion): Promise<CommandAnswer<RegionAddedAnswer>> {
    const uid = uidOf(context);
    const { versionId, start, end, tag = 'general', label } = submission;
    const regionId = idFrom('region', projectId, uid, context.commandId);
    const span: RegionSpan = { start: toMillis(start), end: toMillis(end), tag, label: labelOf(label) };
    const done = await this.streams.run(context, projectId, { type: 'AddRegion', data: { regionId, versionId, span } });
    return this.streams.answer(done, async () => ({
      newRegion: await shown(this.regions, done, { projectId, regionId }),
      ...(await this.projects.updated(context, projectId)),
    }));
  }
}

@CommandHandler(EditRegion)
export class EditRegionHandler implements ICommandHandler<EditRegion> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly projects: ProjectsQueries,
    private readonly regions: RegionsQueries,
    private readonly parts: PartsQueries,
  ) {}

  async execute({ context, regionId, body }: EditRegion): Promise<CommandAnswer<RegionAnswer>> {
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: regionId, projectId: body.projectId, uid, missing: 'region.not-found' });
    const { label } = body.submission;
    const change: Partial<RegionSpan> = { ...spanChangeOf(body.submission), ...(label === undefined ? {} : { label: labelOf(label) }) };
    const done = await this.streams.run(context, projectId, { type: 'EditRegion', data: { regionId, change } });
    return this.streams.answer(done, async () => ({
      updatedRegion: await shown(this.regions, done, { projectId, regionId }),
      ...(await this.projects.updated(context, projectId)),
    }));
  }
}

@CommandHandler(RemoveRegion)
export class RemoveRegionHandler implements ICommandHandler<RemoveRegion> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly projects: ProjectsQueries,
    private readonly parts: PartsQueries,
  ) {}

  async execute({ context, regionId, projectId: named }: RemoveRegion): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    const projectId = await this.parts.projectOf({ partId: regionId, projectId: named, uid: uidOf(context), missing: 'region.not-found' });
    const done = await this.streams.run(context, projectId, { type: 'RemoveRegion', data: { regionId } });
    return this.streams.answer(done, () => this.projects.updated(context, projectId));
  }
}

export const regionHandlers = [AddRegionHandler, EditRegionHandler, RemoveRegionHandler];
