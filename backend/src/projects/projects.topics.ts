import { InProject, LeftProject } from '@roughmix/contracts/live.api.js';
import { isMember } from '@roughmix/contracts/projects/project.access.js';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { parseBody } from '../platform/http/body.js';
import type { JoinMessage, TopicKind } from '../platform/live/topics.js';
import type { ProjectAccessQueries } from './project-access.queries.js';

const streamsOf = (projectId: Id): Promise<readonly string[]> => Promise.resolve([projectStream(projectId)]);

/** `project:` for the members of a project, with presence; `public:` for everyone who may see it, of whom only visitors join it. */
export function projectTopicKinds(access: ProjectAccessQueries): readonly TopicKind[] {
  return [
    {
      kind: 'project',
      async access(projectId) {
        const standing = await access.standings(projectId);
        return (uid) => {
          const viewer = standing(uid);
          return viewer !== null && isMember(viewer);
        };
      },
      streamsOf,
      presence: (projectId) => ({ projectId }),
    },
    {
      kind: 'public',
      async access(projectId) {
        const standing = await access.standings(projectId);
        return (uid) => standing(uid) !== null;
      },
      streamsOf,
    },
  ];
}

export const inProject: JoinMessage = {
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
