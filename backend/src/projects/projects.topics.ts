import { Injectable } from '@nestjs/common';
import { InProject, LeftProject } from '@roughmix/contracts/live.api.js';
import { isMember } from '@roughmix/contracts/projects/project.access.js';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { parseBody } from '../platform/http/body.js';
import type { JoinMessage, TopicKind, TopicSource } from '../platform/live/topics.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { ProjectOpenings } from './project-openings.queries.js';
import { lastNotice } from './projects.documents.js';

const streamsOf = (projectId: Id): Promise<readonly string[]> => Promise.resolve([projectStream(projectId)]);

const newestIn =
  (access: ProjectAccessQueries) =>
  async (projectId: Id, uid: Uid): Promise<Position | null> => {
    const seen = await access.seenBy(projectId, uid);
    return seen === null ? null : lastNotice(seen.project, uid);
  };

/** `project:` is for members, with presence; `public:` is for everyone who may see the project, and only visitors join it. */
function projectTopicKinds(access: ProjectAccessQueries, openings: ProjectOpenings): readonly TopicKind[] {
  const newest = newestIn(access);
  return [
    {
      kind: 'project',
      async access(projectId) {
        const viewerFor = await access.viewerLookup(projectId);
        return (uid) => {
          const viewer = viewerFor(uid);
          return viewer !== null && isMember(viewer);
        };
      },
      streamsOf,
      newest,
      presence: (projectId) => ({ projectId }),
      joined: (projectId, uid) => openings.note(projectId, uid),
    },
    {
      kind: 'public',
      async access(projectId) {
        const viewerFor = await access.viewerLookup(projectId);
        return (uid) => viewerFor(uid) !== null;
      },
      streamsOf,
      newest,
    },
  ];
}

const inProject: JoinMessage = {
  join: 'in-project',
  leave: 'left-project',
  kinds: ['project', 'public'],
  notFound: 'project.not-found',
  limit: LIMITS.projectsPerSocket,
  readJoin(body) {
    const { projectId, ...from } = parseBody(InProject, body);
    return { id: projectId, ...from };
  },
  readLeave: (body) => parseBody(LeftProject, body).projectId,
};

/** The rooms of projects, joined by `in-project`. */
@Injectable()
export class ProjectTopics implements TopicSource {
  readonly kinds: readonly TopicKind[];
  readonly joins = [inProject];

  constructor(access: ProjectAccessQueries, openings: ProjectOpenings) {
    this.kinds = projectTopicKinds(access, openings);
  }
}
