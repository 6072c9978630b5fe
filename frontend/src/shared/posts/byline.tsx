import type { TaggedRegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { useNow } from '../hooks/use-now';
import { PersonLink } from '../people/person-link';
import { type ProjectContextValue, useProject } from '../project/project-context';
import { useRemovedIds } from '../removals/removals-provider';
import { Tag } from '../ui/tag';
import { When } from '../ui/when';
import { StampButton } from '../writing/stamp-chip';

/** What a byline shows of a post. */
export interface PostFacts {
  readonly _id: Id;
  readonly user: PersonView;
  readonly dateAdded: Instant;
  readonly edited: Instant | null;
  readonly versionId: Id | null;
  readonly stamp: Stamp | null;
  readonly taggedRegions: readonly TaggedRegionView[];
}

/** The region as it is now: an edit of a region does not change the posts that are tagged with it. */
function currentTag(tag: TaggedRegionView, { regions }: ProjectContextValue): TaggedRegionView {
  const region = regions.get(tag._id);
  return region === undefined ? tag : { ...tag, tag: region.tag, start: region.start, end: region.end, timespan: region.timespan };
}

function versionNote(versionId: Id | null, { versions }: ProjectContextValue): string {
  if (versionId === null) return '';
  const version = versions.find(({ _id }) => _id === versionId);
  return version === undefined ? ', on a removed version' : `, on ${versionNumber(version)}`;
}

/** When a post was written, on which version, and whether it was edited. */
export function PostDate({ post, isEdited }: { readonly post: PostFacts; readonly isEdited: boolean }) {
  const now = useNow();
  return (
    <>
      <When at={post.dateAdded}>{relativePast(post.dateAdded, now)}</When>
      {versionNote(post.versionId, useProject())}
      {isEdited && ', edited'}
    </>
  );
}

/** A post's timestamp and region tag, which select the post and lead to their places. */
export function PostMarks({ post: { _id: postId, stamp, taggedRegions } }: { readonly post: Pick<PostFacts, '_id' | 'stamp' | 'taggedRegions'> }) {
  const project = useProject();
  const removed = useRemovedIds();
  const hasStampedVersion = stamp !== null && project.versions.some(({ _id }) => _id === stamp.versionId);
  return (
    <>
      {stamp !== null && <StampButton stamp={stamp} onPress={hasStampedVersion ? () => project.goTo({ ...stamp, postId }) : null} />}
      {taggedRegions
        .filter(({ _id }) => !removed.has(_id))
        .map((tagged) => {
          const region = currentTag(tagged, project);
          const versionId = project.regions.get(region._id)?.versionId ?? null;
          const at = versionId === null ? null : region.start;
          return <Tag key={region._id} category={region.tag} span={region} onPress={() => project.goTo({ versionId, at, regionId: region._id, postId })} />;
        })}
    </>
  );
}

/** The line above a post's content. */
export const Byline = ({ post, isEdited = post.edited !== null }: { readonly post: PostFacts; readonly isEdited?: boolean }) => (
  <div className="who">
    <b>
      <PersonLink person={post.user} />
    </b>
    <span className="meta">
      <PostDate post={post} isEdited={isEdited} />
    </span>
    <PostMarks post={post} />
  </div>
);
