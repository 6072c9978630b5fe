import { IsIn } from 'class-validator';
import { IdField, Nested, Optional } from '../shared/body.js';
import { SpanChangeBody } from '../shared/marks.api.js';

/** The kinds of posts that a region can be tagged with. Replies and image comments count as what they belong to. */
const POST_TYPES = ['todo', 'comment'] as const;
type PostType = (typeof POST_TYPES)[number];

/** PUT /api/taggedRegions/removeChildRegionTags/{regionId} */
export class PostOfTagBody {
  @Optional()
  @IdField()
  projectId?: string;
  @IdField()
  postId: string;
  @IsIn(POST_TYPES)
  type: PostType;
}

/** PUT /api/taggedRegions/insertPostId, /removePostId and /removeTaggedRegion */
export class TagBody extends PostOfTagBody {
  @IdField()
  regionId: string;
}

/** PUT /api/taggedRegions/appendChildRegionTags/{regionId} */
export class ChildTagBody extends PostOfTagBody {
  @Nested(() => SpanChangeBody)
  child: SpanChangeBody;
}
