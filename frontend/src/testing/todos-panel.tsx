import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { ana, openProject, version } from './open-project';
import { renderFor } from './with-session';
import { todosOf, useTodos } from '../features/todos/todos.queries';
import { TodosPanel } from '../features/todos/todos-panel';
import type { SelectedRegion } from '../shared/posts/new-post';
import { type ProjectContextValue, ProjectProvider } from '../shared/project/project-context';

/** The rights of a collaborator. */
export const collaborator = { uid: ana.uid, role: 'Collaborator', access: 3, may: { comment: true, download: true, write: true, owner: false } } as const;

interface PanelChanges extends Partial<ProjectContextValue> {
  readonly region?: SelectedRegion;
}

/** Opens the panel of another project each time; Ana may write in it. */
export function openTodos(todos: readonly TodoView[], { region, ...changes }: PanelChanges = {}) {
  const project = openProject({ viewer: collaborator, ...changes });
  const { projectId } = project;
  function Page() {
    const data = useTodos(projectId) ?? todos;
    return (
      <ProjectProvider project={project} selectedVersion={version ?? null}>
        <TodosPanel todos={data} highlight={null} region={region ?? null} />
      </ProjectProvider>
    );
  }
  const page = renderFor(project.user, <Page />);
  page.cache.setQueryData(todosOf(projectId).queryKey, todos);
  return { ...page, projectId };
}
