import { Injectable } from '@nestjs/common';
import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { CommentPush } from '@roughmix/contracts/live.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Emission, factsOf, type LiveStep, type PushFacts, type PushSource, toEverybody, userRoom } from '../platform/live/live-message.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { RegionsQueries } from '../regions/regions.queries.js';
import { CommentsQueries } from './comments.queries.js';

type Shown = 'CommentAdded' | 'CommentReplyAdded' | 'CommentEdited' | 'CommentRated';

const say = (push: CommentPush): readonly Emission[] => toEverybody('comments', push);

/** What browsers hear of comments. An image comment is told of when its image stands; a dislike is nobody's business but the author's. */
@Injectable()
export class CommentsPushes implements PushSource {
  constructor(
    private readonly comments: CommentsQueries,
    private readonly access: ProjectAccessQueries,
    private readonly regions: RegionsQueries,
  ) {}

  async steps(stored: StoredEvent): Promise<readonly LiveStep[]> {
    const event = stored as Stored<ProjectStreamEvent>;
    const facts = factsOf(event);
    switch (event.type) {
      case 'CommentAdded':
        return event.data.kind === 'image' ? [] : this.shown(facts, 'CommentAdded', event.data.commentId);
      case 'CommentImageAdded':
        return this.shown(facts, 'CommentAdded', event.data.commentId);
      case 'CommentReplyAdded':
        return [
          ...(await this.shown(facts, 'CommentReplyAdded', event.data.commentId)),
          ...(await this.shown(facts, 'CommentEdited', event.data.parentCommentId)),
        ];
      case 'CommentEdited':
        return this.shown(facts, 'CommentEdited', event.data.commentId);
      case 'CommentRemoved':
        return this.removed(facts, event.data);
      case 'CommentRated':
        return this.rated(event, facts);
      case 'RegionEdited':
        return this.retagged(facts, (await this.regions.views([event.data.regionId]))[0]?.commentIds ?? []);
      case 'RegionRemoved':
        return this.retagged(facts, event.data.commentIds);
      default:
        return [];
    }
  }

  /** Comments whose tag changed because its region did. */
  private async retagged(facts: PushFacts, commentIds: readonly Id[]): Promise<readonly Emission[]> {
    const steps: Emission[] = [];
    for (const commentId of commentIds) steps.push(...(await this.shown(facts, 'CommentEdited', commentId)));
    return steps;
  }

  /** The comment as it is now, or its removal if it is gone by now. Nothing while the read model leaves the project out: it may well be there. */
  private async shown(facts: PushFacts, type: Shown, commentId: Id): Promise<readonly Emission[]> {
    const [view] = await this.roomViews(facts, commentId);
    if (view === undefined && (await this.comments.isParked(facts.projectId))) return [];
    return say(view === undefined ? { ...facts, type: 'CommentRemoved', ids: [commentId] } : { ...facts, type, view });
  }

  private async removed(facts: PushFacts, { commentId, parentCommentId, gone }: CommentEvents['CommentRemoved']): Promise<readonly Emission[]> {
    if (parentCommentId === null) {
      const stays = gone.length === 0 ? await this.shown(facts, 'CommentEdited', commentId) : [];
      return stays.length > 0 ? stays : say({ ...facts, type: 'CommentRemoved', ids: gone });
    }
    const reply = say({ ...facts, type: 'CommentReplyRemoved', ids: [commentId] });
    const parentGoes = gone.includes(parentCommentId);
    const parent = parentGoes ? say({ ...facts, type: 'CommentRemoved', ids: [parentCommentId] }) : await this.shown(facts, 'CommentEdited', parentCommentId);
    return [...reply, ...parent];
  }

  private async rated({ data, meta }: StoredEvent<string, CommentEvents['CommentRated']>, facts: PushFacts): Promise<readonly Emission[]> {
    const { commentId, from, to } = data;
    const isSecret = from === 'negs' || to === 'negs';
    const said = isSecret ? { ...facts, actorUid: null, commandId: null } : facts;
    const steps: Emission[] = [];
    if (from === 'likes' || to === 'likes') steps.push(...(await this.shown(said, 'CommentRated', commentId)));
    const author = await this.comments.authorOf(commentId);
    if (isSecret && author !== null) steps.push(...(await this.toPerson(said, commentId, author)));
    if (meta.actorUid !== null) steps.push(...(await this.toPerson(facts, commentId, meta.actorUid)));
    return steps;
  }

  /** What only this person may know of a comment, while they see it: its author the count of dislikes, who rated it their own. */
  private async toPerson(facts: PushFacts, commentId: Id, uid: Uid): Promise<readonly Emission[]> {
    const seen = await this.access.seenBy(facts.projectId, uid);
    if (seen === null) return [];
    const [view] = await this.comments.viewsFor(uid, [commentId], () => seen.project.ownerUid);
    return view === undefined ? [] : [{ kind: 'emit', room: userRoom(uid), channel: 'comments', push: { ...facts, type: 'CommentRated', view } }];
  }

  private async roomViews(facts: PushFacts, commentId: Id): ReturnType<CommentsQueries['roomViews']> {
    const ownerUid = await this.access.ownerOf(facts.projectId);
    return this.comments.roomViews([commentId], () => ownerUid);
  }
}
