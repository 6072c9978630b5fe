import { Injectable } from '@nestjs/common';
import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { type CommentPush, publicTopic, userTopic } from '@roughmix/contracts/live.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { built, currentPushes, type Emission, projectFactsOf, type ProjectPushFacts, type PushSource, toProject } from '../platform/live/live-message.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { type RegionChange, RegionsQueries } from '../regions/regions.queries.js';
import { CommentsQueries } from './comments.queries.js';

type Shown = 'CommentAdded' | 'CommentReplyAdded' | 'CommentEdited' | 'CommentRated';

/** Pushes of comments. An image comment is pushed once its image is stored. Who dislikes is never pushed, and only the author gets the count of dislikes. */
@Injectable()
export class CommentsPushes implements PushSource {
  constructor(
    private readonly comments: CommentsQueries,
    private readonly access: ProjectAccessQueries,
    private readonly regions: RegionsQueries,
  ) {}

  async steps(stored: StoredEvent): Promise<readonly Emission[]> {
    const event = stored as Stored<ProjectStreamEvent>;
    const facts = projectFactsOf(event);
    switch (event.type) {
      case 'CommentAdded':
        return event.data.kind === 'image' ? [] : [this.shown(facts, 'CommentAdded', event.data.commentId)];
      case 'CommentImageAdded.v2':
        return [this.shown(facts, 'CommentAdded', event.data.commentId)];
      case 'CommentReplyAdded':
        return [this.shown(facts, 'CommentReplyAdded', event.data.commentId), this.shown(facts, 'CommentEdited', event.data.parentCommentId)];
      case 'CommentEdited':
        return [this.shown(facts, 'CommentEdited', event.data.commentId)];
      case 'CommentRemoved':
        return this.removed(facts, event.data);
      case 'CommentRated':
        return this.rated(event, facts);
      case 'RegionEdited':
      case 'RegionRemoved.v2':
        return [this.retagged(facts, event)];
      default:
        return [];
    }
  }

  private shown(facts: ProjectPushFacts, type: Shown, commentId: Id): Emission {
    return toProject(facts.projectId, 'comments', () => this.currentPushes(facts, type, [commentId]));
  }

  /** Comments whose tag changed because its region did. */
  private retagged(facts: ProjectPushFacts, event: RegionChange): Emission {
    const build = async () => this.currentPushes(facts, 'CommentEdited', await this.regions.retaggedBy(event, 'commentIds'));
    return toProject(facts.projectId, 'comments', build);
  }

  private async currentPushes(facts: ProjectPushFacts, type: Shown, commentIds: readonly Id[]): Promise<readonly CommentPush[]> {
    const ownerUid = await this.access.ownerOf(facts.projectId);
    const views = await this.comments.roomViews(commentIds, () => ownerUid);
    return currentPushes<CommentView, CommentPush>(commentIds, views, {
      shown: (view) => ({ ...facts, type, view }),
      removed: (id) => ({ ...facts, type: 'CommentRemoved', ids: [id] }),
      isParked: () => this.comments.isParked(facts.projectId),
    });
  }

  private removed(facts: ProjectPushFacts, { commentId, parentCommentId, gone }: CommentEvents['CommentRemoved']): readonly Emission[] {
    const push = (type: 'CommentRemoved' | 'CommentReplyRemoved', ids: readonly Id[]): Emission =>
      toProject(facts.projectId, 'comments', built({ ...facts, type, ids }));
    // A comment with replies stays as a placeholder.
    if (parentCommentId === null) return [gone.length === 0 ? this.shown(facts, 'CommentEdited', commentId) : push('CommentRemoved', gone)];
    const parent = gone.includes(parentCommentId) ? push('CommentRemoved', [parentCommentId]) : this.shown(facts, 'CommentEdited', parentCommentId);
    return [push('CommentReplyRemoved', [commentId]), parent];
  }

  private async rated({ data, meta }: StoredEvent<string, CommentEvents['CommentRated']>, facts: ProjectPushFacts): Promise<readonly Emission[]> {
    const { commentId, from, to } = data;
    const anonymous = { ...facts, actorUid: null, commandId: null };
    const author = from === 'negs' || to === 'negs' ? await this.comments.authorOf(commentId) : null;
    return [
      ...(from === 'likes' || to === 'likes' ? [this.shown(to === 'negs' ? anonymous : facts, 'CommentRated', commentId)] : []),
      ...(author === null ? [] : [this.toPerson(anonymous, commentId, author)]),
      ...(meta.actorUid === null ? [] : [this.toPerson(facts, commentId, meta.actorUid)]),
    ];
  }

  /** What only this person may know of a comment: as its author the count of dislikes, as the rater their own rating. */
  private toPerson(facts: ProjectPushFacts, commentId: Id, uid: Uid): Emission {
    const build = async (): Promise<readonly CommentPush[]> => {
      const seen = await this.access.seenBy(facts.projectId, uid);
      if (seen === null) return [];
      const [view] = await this.comments.viewsFor(uid, [commentId], () => seen.project.ownerUid);
      return view === undefined ? [] : [{ ...facts, type: 'CommentRated', view }];
    };
    return { kind: 'emit', topics: [userTopic(uid)], subject: publicTopic(facts.projectId), channel: 'comments', build };
  }
}
