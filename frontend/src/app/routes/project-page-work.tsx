import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { lazy, memo, type Ref, Suspense, useDeferredValue, useMemo } from 'react';
import type { ComposerHandle } from '../../features/comments/composer';
import type { Moment, SelectedRegion, Surroundings } from '../../features/comments/surroundings';
import { SkeletonRows } from '../../shared/ui/skeleton';
import { Tabs } from '../../shared/ui/tabs';
import type { PageParts } from './project-page-data';
import type { ProjectDesk } from './project-page-desk';

export const loadComments = async () => ({ default: (await import('../../features/comments/comments-panel')).CommentsPanel });
const CommentsPanel = memo(lazy(loadComments));

interface ProjectWorkProps {
  readonly parts: PageParts;
  readonly user: SelfView;
  readonly viewer: Viewer;
  readonly shared: ProjectDesk;
  readonly comments: readonly CommentView[];
  readonly ref: Ref<ComposerHandle>;
}

const momentOf = ({ store }: ProjectDesk): Moment => ({
  isPlaying: () => store.getSnapshot().playing,
  position: () => store.getSnapshot().position,
  play: store.play,
  pause: store.pause,
});

function selectedOf({ desk: { selected } }: ProjectDesk): SelectedRegion | null {
  if (selected === null) return null;
  const { id, tag, start, end, isDraft } = selected;
  return { _id: id, tag, start, end, isDraft };
}

/** What is said about the project. */
export function ProjectWork({ parts, user, viewer, shared, comments, ref }: ProjectWorkProps) {
  const { project, versions, regions } = parts;
  const byId = useMemo(() => new Map(regions.map((region) => [region._id, region])), [regions]);
  const { owner, addedUsers } = project;
  const members = useMemo(() => [owner, ...(addedUsers ?? [])], [owner, addedUsers]);
  const around: Surroundings = {
    projectId: project._id,
    user,
    viewer,
    members,
    versions,
    heard: shared.heard,
    moment: momentOf(shared),
    region: selectedOf(shared),
    saveRegion: async () => (await shared.desk.save())._id,
    regions: byId,
    onRegion: shared.openRegion,
    onStamp: shared.goTo,
  };
  // A region that is pressed shows on the wave at once; the boxes in which its tag appears follow, for there may be hundreds of comments around them.
  const followed = useDeferredValue(around);
  const count = comments.filter((comment) => !comment.removed && !comment.isReply).length;
  const panel = (
    <Suspense fallback={<SkeletonRows label="Comments" />}>
      <CommentsPanel ref={ref} around={followed} comments={comments} lit={shared.lit} />
    </Suspense>
  );
  return (
    <section className="work" aria-label="Work">
      <Tabs label="Work" selected="comments" onSelect={() => undefined} tabs={[{ id: 'comments', label: 'Comments', count, panel }]} />
    </section>
  );
}
