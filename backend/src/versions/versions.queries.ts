import { Injectable } from '@nestjs/common';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { mentionedIn, showMentions } from '@roughmix/contracts/shared/mentions.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { peaksUrl, versionUrl, type VersionView } from '@roughmix/contracts/versions/version.view.js';
import { Refused } from '../kernel/refusal.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { ProjectAccessQueries, type SeenProject } from '../projects/project-access.queries.js';
import { type People, UsersQueries } from '../users/users.queries.js';
import { type VersionDocument, VERSIONS } from './versions.documents.js';

/** A version and its project, for a user who may see both. */
export interface SeenVersion extends SeenProject {
  readonly version: VersionDocument;
}

function versionView(version: VersionDocument, people: People): VersionView {
  const { versionId, projectId, major, minor, rejection, file, copy } = version;
  return {
    _id: versionId,
    projectId,
    majorUpdate: major,
    minorUpdate: minor,
    tinySummary: showMentions(version.tinySummary, (uid) => people(uid).username),
    versionUrl: versionUrl(versionId),
    peaksUrl: version.state === 'ready' ? peaksUrl(versionId) : null,
    peaksLevels: version.peaksLevels,
    dateAdded: version.dateAdded,
    filename: file.filename,
    uploader: people(version.uploaderUid),
    taggedUsers: version.taggedUsers,
    completedTodos: version.completedTodos,
    initialLogin: version.initialLogin,
    state: version.state,
    duration: file.duration,
    analysis: version.analysis,
    playback: { codec: (copy ?? file).codec, isCopy: copy !== null },
    rejection: rejection === null ? null : { code: rejection, detail: detailOf(rejection) },
    position: version.position,
  };
}

@Injectable()
export class VersionsQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
    private readonly users: UsersQueries,
  ) {}

  /** Versions that are not removed, in the requested order. The caller has checked access. */
  async views(versionIds: readonly Id[]): Promise<readonly VersionView[]> {
    const versions = await this.reads.getMany<VersionDocument>(VERSIONS, versionIds);
    const people = await this.users.people(versions.flatMap(({ uploaderUid, tinySummary }) => [uploaderUid, ...mentionedIn(tinySummary)]));
    return versions.map((version) => versionView(version, people));
  }

  /** Those of the versions that the user may see. */
  async byIds(versionIds: readonly Id[], uid: Uid): Promise<readonly VersionView[]> {
    const views = await this.views(versionIds);
    const seen = await this.access.allSeenBy(
      views.map((view) => view.projectId),
      uid,
    );
    return views.filter((view) => seen.has(view.projectId));
  }

  /** @throws Refused `version.not-found` if it does not exist, is in another project, or the user may not see it */
  async require(versionId: Id, uid: Uid, projectId?: Id): Promise<SeenVersion> {
    const version = await this.reads.get<VersionDocument>(VERSIONS, versionId);
    const seen = version === null ? null : await this.access.seenBy(version.projectId, uid);
    if (version === null || seen === null || (projectId !== undefined && version.projectId !== projectId)) throw new Refused('version.not-found');
    return { ...seen, version };
  }

  /** Whether the read model has parked the project at an unreadable event, so that versions do not show later changes. */
  isParked(projectId: Id): Promise<boolean> {
    return this.reads.isParked(VERSIONS, projectStream(projectId));
  }
}
