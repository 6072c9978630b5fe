import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { selfCalled } from './people-and-projects';
import { startStubServer, type Routes, type StubServer } from './stub-server';

/** What a project's page shows besides the project. */
interface ProjectContents {
  readonly regions?: readonly RegionView[];
  readonly todos?: readonly TodoView[];
  readonly comments?: readonly CommentView[];
}

/** A server with one project, to which Ana is signed in. */
export function startProjectServer(project: ProjectView, contents: ProjectContents = {}, more: Routes = {}): Promise<StubServer> {
  const data = { project, versions: project.versions, regions: [], todos: [], comments: [], ...contents };
  return startStubServer({
    'GET /api/auth/session': () => ({ json: { user: selfCalled('Ana'), staffRole: null } }),
    'GET /api/projects/ana': () => ({ json: { projects: [project] } }),
    'GET /api/projects/:id/visitor/ana': () => ({ json: { data } }),
    ...more,
  });
}
