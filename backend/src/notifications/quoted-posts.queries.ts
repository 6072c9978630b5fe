import { Injectable } from '@nestjs/common';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { quoteOf } from '@roughmix/contracts/shared/post-text.js';
import { CommentsQueries } from '../comments/comments.queries.js';
import { TodosQueries } from '../todos/todos.queries.js';

/** The current starts of posts' texts, by id, without posts that are gone. The caller checks access. */
@Injectable()
export class QuotedPostsQueries {
  constructor(
    private readonly comments: CommentsQueries,
    private readonly todos: TodosQueries,
  ) {}

  async comment(commentIds: readonly Id[]): Promise<readonly (readonly [Id, string])[]> {
    const views = await this.comments.roomViews(commentIds, () => '');
    return views.flatMap((view) => (view.removed ? [] : [[view._id, typeof view.content === 'string' ? quoteOf(view.content) : 'an image'] as const]));
  }

  async todo(todoIds: readonly Id[]): Promise<readonly (readonly [Id, string])[]> {
    return (await this.todos.views(todoIds)).map(({ _id, content }) => [_id, quoteOf(content)] as const);
  }
}
