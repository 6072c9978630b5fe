import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mayAddVersion, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { GoneView } from '@roughmix/contracts/shared/gone.js';
import { type Id, type Uid, withoutIds } from '@roughmix/contracts/shared/ids.js';
import { mayReplaceVersion } from '@roughmix/contracts/versions/version.access.js';
import { versionUrl, type VersionAddedAnswer, type VersionAnswer, type VersionView } from '@roughmix/contracts/versions/version.view.js';
import { BlocksQueries } from '../blocks/blocks.queries.js';
import { Refused } from '../kernel/refusal.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { Executed } from '../platform/streams/streams.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { PartsQueries } from '../projects/parts.queries.js';
import { PostTextQueries, type StoredText, taggedIn } from '../projects/post-text.queries.js';
import { goneView, ProjectStreams, uidOf } from '../projects/project.streams.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { QuotasQueries } from '../quotas/quotas.queries.js';
import { VersionsQueries } from '../versions/versions.queries.js';
import { AddFirstVersion, AddVersion, RemoveVersion, ReplaceVersion } from './media.commands.js';
import { VersionUploads } from './version-uploads.js';

type VersionOrGone = VersionView | GoneView;

/** The version that a command added or replaced, in its current state. */
async function changedVersion(
  versions: VersionsQueries,
  done: Executed<ProjectStreamEvent>,
  { projectId, uid }: { projectId: Id; uid: Uid },
): Promise<VersionOrGone> {
  const versionId = done.events.flatMap((event) => (event.type === 'VersionAdded' || event.type === 'VersionReplaced' ? event.data.versionId : []))[0];
  if (versionId === undefined) throw new Error('a version was added without an event');
  const [view] = await versions.byIds([versionId], uid);
  return view ?? goneView(done, projectId, versionId);
}

/** @throws Refused `project.not-allowed` */
function requireWriteAccess(who: Viewer): void {
  if (!mayAddVersion(who)) throw new Refused('project.not-allowed');
}

interface FirstSummary {
  readonly typed: string;
  readonly planned: string;
  readonly memberUids: readonly Uid[];
  readonly uid: Uid;
}

@CommandHandler(AddFirstVersion)
export class AddFirstVersionHandler implements ICommandHandler<AddFirstVersion> {
  constructor(
    private readonly uploads: VersionUploads,
    private readonly streams: ProjectStreams,
    private readonly text: PostTextQueries,
    private readonly projects: ProjectsQueries,
    private readonly versions: VersionsQueries,
    private readonly access: ProjectAccessQueries,
    private readonly blocks: BlocksQueries,
  ) {}

  async execute({ context, version }: AddFirstVersion): Promise<CommandAnswer<VersionAnswer>> {
    const uid = uidOf(context);
    const { projectId, uploadId, tinySummary: typed = '' } = version;
    const done = await this.uploads.use({
      context,
      projectId,
      uploadId,
      check: async () => {
        const { project, who } = await this.access.require(projectId, uid);
        if (version.versionId !== undefined && version.versionId !== project.firstVersionId) throw new Refused('version.not-found');
        requireWriteAccess(who);
      },
      command: async ({ record: { versionId } }, file) => {
        if (versionId === null) throw new Refused('upload.not-found');
        const { pending, tinySummary: planned, members, ownerUid } = await this.streams.state(projectId);
        const invitedUids = pending.invited.map((person) => person.uid);
        const blockers = await this.blocks.blockersAmong(invitedUids, uid);
        const memberUids = [ownerUid, ...Object.keys(members), ...withoutIds(invitedUids, blockers)];
        const { content, taggedUsers } = await this.summary({ typed, planned, memberUids, uid });
        const facts = { projectId, versionId, uploadId, tinySummary: content, taggedUsers, file, blockers };
        return { type: 'AddVersion', data: { ...facts, first: true, updateType: 'major' } };
      },
    });
    return this.uploads.answer(done, async () => ({
      version: await changedVersion(this.versions, done, { projectId, uid }),
      ...(await this.projects.updated(context, projectId)),
    }));
  }

  /** The summary given here, else the one given with the project. It can mention the people who become members together with the first version. */
  private async summary({ typed, planned, memberUids, uid }: FirstSummary): Promise<StoredText> {
    if (typed === '') return { content: planned, taggedUsers: taggedIn(planned, memberUids, uid) };
    return this.text.storeAmong({ typed, uid, memberUids, empty: 'request.invalid' });
  }
}

@CommandHandler(AddVersion)
export class AddVersionHandler implements ICommandHandler<AddVersion> {
  constructor(
    private readonly uploads: VersionUploads,
    private readonly text: PostTextQueries,
    private readonly projects: ProjectsQueries,
    private readonly versions: VersionsQueries,
    private readonly access: ProjectAccessQueries,
    private readonly quotas: QuotasQueries,
  ) {}

  async execute({ context, version }: AddVersion): Promise<CommandAnswer<VersionAddedAnswer>> {
    const uid = uidOf(context);
    const { projectId, uploadId, tinySummary: typed, updateType = 'minor' } = version;
    if (typed === '') throw new Refused('request.invalid', { field: 'tinySummary' });
    const done = await this.uploads.use({
      context,
      projectId,
      uploadId,
      check: async () => {
        const { project, who } = await this.access.require(projectId, uid);
        requireWriteAccess(who);
        this.quotas.requireVersion(project);
      },
      command: async ({ record: { versionId } }, file) => {
        if (versionId === null) throw new Refused('upload.not-found');
        const { content: tinySummary, taggedUsers } = await this.text.store({ typed, projectId, uid, empty: 'request.invalid' });
        return { type: 'AddVersion', data: { projectId, versionId, uploadId, first: false, updateType, tinySummary, taggedUsers, file } };
      },
    });
    return this.uploads.answer(done, async () => {
      const added = await changedVersion(this.versions, done, { projectId, uid });
      const versionId = added._id;
      const currentVersion = await this.current(projectId, uid);
      const updated = await this.projects.updated(context, projectId);
      return { versionId, versionUrl: versionUrl(versionId), version: added, currentVersion, ...updated };
    });
  }

  private async current(projectId: Id, uid: Uid): Promise<VersionView | null> {
    const { project } = await this.access.require(projectId, uid);
    const [current] = await this.versions.views(project.versionIds.slice(-1));
    return current ?? null;
  }
}

@CommandHandler(ReplaceVersion)
export class ReplaceVersionHandler implements ICommandHandler<ReplaceVersion> {
  constructor(
    private readonly uploads: VersionUploads,
    private readonly projects: ProjectsQueries,
    private readonly versions: VersionsQueries,
    private readonly parts: PartsQueries,
  ) {}

  async execute({ context, versionId, upload: { projectId: named, uploadId } }: ReplaceVersion): Promise<CommandAnswer<VersionAnswer>> {
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: versionId, projectId: named, uid, missing: 'version.not-found' });
    const done = await this.uploads.use({
      context,
      projectId,
      uploadId,
      check: async () => {
        const { version, who } = await this.versions.require(versionId, uid, projectId);
        if (!mayReplaceVersion(who, version)) throw new Refused('project.not-allowed');
        if (version.state !== 'rejected') throw new Refused('version.not-rejected');
      },
      command: (upload, file) => {
        if (upload.record.versionId !== versionId) throw new Refused('upload.not-found');
        return { type: 'ReplaceVersion', data: { projectId, versionId, uploadId, file } };
      },
    });
    return this.uploads.answer(done, async () => ({
      version: await changedVersion(this.versions, done, { projectId, uid }),
      ...(await this.projects.updated(context, projectId)),
    }));
  }
}

@CommandHandler(RemoveVersion)
export class RemoveVersionHandler implements ICommandHandler<RemoveVersion> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly projects: ProjectsQueries,
    private readonly parts: PartsQueries,
  ) {}

  async execute({ context, versionId, projectId: named }: RemoveVersion): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    const projectId = await this.parts.projectOf({ partId: versionId, projectId: named, uid: uidOf(context), missing: 'version.not-found' });
    const done = await this.streams.run(context, projectId, { type: 'RemoveVersion', data: { versionId } });
    return this.streams.answer(done, () => this.projects.updated(context, projectId));
  }
}

export const mediaHandlers = [AddFirstVersionHandler, AddVersionHandler, ReplaceVersionHandler, RemoveVersionHandler];
