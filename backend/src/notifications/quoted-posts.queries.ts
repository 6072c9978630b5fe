import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { quoteOf } from '@roughmix/contracts/shared/post-text.js';
import { CommentsQueries } from '../comments/comments.queries.js';
import { TodosQueries } from '../todos/todos.queries.js';

/** What a notification quotes of its subject. */
export interface Quoted {
  /** The start of its text, '' if it has none. */
  readonly text: string;
  /** Whom the text mentions. */
  readonly mentions: readonly Uid[];
}

/** The current starts of posts' texts, by id, without posts that are gone. The caller checks access. */
@Injectable()
export class QuotedPostsQueries {
  constructor(
    private readonly comments: CommentsQueries,
    private readonly todos: TodosQueries,
  ) {}

  async comment(commentIds: readonly Id[]): Promise<readonly (readonly [Id, Quoted])[]> {
    const views = await this.comments.roomViews(commentIds, () => '');
    return views.flatMap((view) => {
      if (view.removed) return [];
      const text = typeof view.content === 'string' ? quoteOf(view.content) : 'an image';
      return [[view._id, { text, mentions: view.taggedUsers }] as const];
    });
  }

  async todo(todoIds: readonly Id[]): Promise<readonly (readonly [Id, Quoted])[]> {
    return (await this.todos.views(todoIds)).map(({ _id, content, taggedUsers }) => [_id, { text: quoteOf(content), mentions: taggedUsers }] as const);
  }
}
