import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { useQuery } from '@tanstack/react-query';
import { personCalled, projectCalled, selfCalled } from './people-and-projects';
import { renderFor } from './with-session';
import { commentsOf } from '../features/comments/comments.queries';
import { CommentsPanel } from '../features/comments/comments-panel';
import type { Surroundings } from '../features/comments/surroundings';

/** Who looks at the panel in specs. */
export const ana = selfCalled('Ana');
/** The one that is heard. */
export const [version] = projectCalled('P1', ana).versions;
/** What the server says to who may not. */
export const away = { status: 403, json: { code: 'project.not-allowed', status: 403, detail: 'You may not do this in this project.' } };

/** A playhead at 17.4 s. */
export function aPlayhead(isPlaying = true) {
  const told: string[] = [];
  let playing = isPlaying;
  const turn = (word: string, to: boolean) => () => {
    told.push(word);
    playing = to;
  };
  return { told, moment: { isPlaying: () => playing, position: () => 17.4, play: turn('play', true), pause: turn('pause', false) } };
}

let projects = 0;
/** Each page is of another project: an outbox lives as long as its tab. */
export function openPanel(comments: readonly CommentView[], changes: Partial<Surroundings> = {}) {
  projects += 1;
  const projectId = changes.projectId ?? `p${projects}`;
  const around: Surroundings = {
    projectId,
    user: ana,
    viewer: { uid: 'ana', role: 'Viewer', access: 1, may: { comment: true, download: false, write: false, owner: false } },
    members: [ana, personCalled('Bob')],
    versions: version ? [version] : [],
    heard: version ?? null,
    moment: aPlayhead(false).moment,
    region: null,
    saveRegion: () => Promise.resolve('saved'),
    regions: new Map(),
    onRegion: () => undefined,
    onStamp: () => undefined,
    ...changes,
  };
  function Page() {
    const { data = comments } = useQuery(commentsOf(projectId));
    return <CommentsPanel around={around} comments={data} lit={null} />;
  }
  const page = renderFor(around.user, <Page />);
  page.cache.setQueryData(commentsOf(projectId).queryKey, comments);
  return { ...page, projectId };
}
