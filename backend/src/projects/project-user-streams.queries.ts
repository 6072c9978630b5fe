import { Injectable } from '@nestjs/common';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { UserStreams } from '../platform/live/user-topic.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { lastNotice, MAX_LOSSES, MEMBERSHIP_LOSSES, type MembershipLosses, type ProjectDocument, PROJECTS } from './projects.documents.js';

const MAX_PROJECTS = 1_000;

/**
 * The project streams with pushes for a person: of the projects they are in, and of those they lost since, to push the removal. Ratings of comments in
 * projects that the person only visits are caught up with the project's own room.
 */
@Injectable()
export class ProjectUserStreams implements UserStreams {
  constructor(private readonly reads: ReadModels) {}

  async streamsOf(uid: Uid, after: Position): Promise<readonly string[] | null> {
    const projects = await this.reads.find<ProjectDocument>(PROJECTS, { where: { field: 'memberUids', value: uid }, sort: 'descending', limit: MAX_PROJECTS });
    const losses = (await this.reads.get<MembershipLosses>(MEMBERSHIP_LOSSES, uid))?.losses ?? [];
    const lost = losses.filter(({ position }) => position > after);
    if (projects.length === MAX_PROJECTS || lost.length === MAX_LOSSES) return null;
    const changed = projects.filter((project) => lastNotice(project, uid) > after);
    return [...new Set([...changed, ...lost].map(({ projectId }) => projectStream(projectId)))];
  }
}
