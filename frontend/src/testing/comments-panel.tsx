import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { openProject, version } from './open-project';
import { renderFor } from './with-session';
import { commentsOf, useComments } from '../features/comments/comments.queries';
import { CommentsPanel } from '../features/comments/comments-panel';
import type { SelectedRegion } from '../shared/posts/new-post';
import { type ProjectContextValue, ProjectProvider } from '../shared/project/project-context';

export interface PanelChanges extends Partial<ProjectContextValue> {
  readonly region?: SelectedRegion;
}

/** Opens the panel of another project each time. */
export function openPanel(comments: readonly CommentView[], { region, ...changes }: PanelChanges = {}) {
  const project = openProject(changes);
  const { projectId } = project;
  function Page() {
    const data = useComments(projectId) ?? comments;
    return (
      <ProjectProvider project={project} selectedVersion={version ?? null}>
        <CommentsPanel comments={data} highlight={null} region={region ?? null} />
      </ProjectProvider>
    );
  }
  const page = renderFor(project.user, <Page />);
  page.cache.setQueryData(commentsOf(projectId).queryKey, comments);
  return { ...page, projectId };
}
