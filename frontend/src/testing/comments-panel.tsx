import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { personCalled, projectCalled, selfCalled } from './people-and-projects';
import { renderFor } from './with-session';
import { commentsOf, useComments } from '../features/comments/comments.queries';
import { CommentsPanel } from '../features/comments/comments-panel';
import type { SelectedRegion } from '../shared/posts/new-post';
import { type Playhead, type ProjectContextValue, ProjectProvider } from '../shared/project/project-context';

/** The signed-in user in specs of the panel. */
export const ana = selfCalled('Ana');
/** The selected version. */
export const [version] = projectCalled('P1', ana).versions;
/** The server's refusal for users without the right. */
export const away = { status: 403, json: { code: 'project.not-allowed', status: 403, detail: 'You may not do this in this project.' } };

/** A playhead at 17.4 s that records calls. */
export function aPlayhead(isPlaying = true) {
  const calls: string[] = [];
  const listeners = new Set<() => void>();
  let playing = isPlaying;
  const setPlaying = (word: string, to: boolean) => () => {
    calls.push(word);
    playing = to;
    for (const listener of listeners) listener();
  };
  const playhead: Playhead = {
    isPlaying: () => playing,
    position: () => 17.4,
    play: setPlaying('play', true),
    pause: setPlaying('pause', false),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { calls, playhead };
}

export interface PanelChanges extends Partial<ProjectContextValue> {
  readonly region?: SelectedRegion;
}

let projects = 0;
/** Opens the panel of another project each time, because outboxes and drafts are stored in the tab. */
export function openPanel(comments: readonly CommentView[], { region, ...changes }: PanelChanges = {}) {
  projects += 1;
  const projectId = changes.projectId ?? `p${projects}`;
  const project: ProjectContextValue = {
    projectId,
    user: ana,
    viewer: { uid: 'ana', role: 'Viewer', access: 1, may: { comment: true, download: false, write: false, owner: false } },
    members: [ana, personCalled('Bob')],
    versions: version ? [version] : [],
    regions: new Map(),
    playhead: aPlayhead(false).playhead,
    goTo: () => undefined,
    ...changes,
  };
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
