import { Injectable } from '@nestjs/common';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { quoteOf } from '@roughmix/contracts/shared/post-text.js';
import { CollectionsQueries } from '../collections/collections.queries.js';
import { RegionsQueries } from '../regions/regions.queries.js';
import { VersionsQueries } from '../versions/versions.queries.js';
import type { NotificationDocument, NotificationSubject } from './notifications.documents.js';
import { type Quoted, QuotedPostsQueries } from './quoted-posts.queries.js';

const NOTHING: Quoted = { text: '', mentions: [] };

/** What notifications are about, as it is now. */
@Injectable()
export class NotificationSubjectsQueries {
  constructor(
    private readonly versions: VersionsQueries,
    private readonly regions: RegionsQueries,
    private readonly collections: CollectionsQueries,
    private readonly posts: QuotedPostsQueries,
  ) {}

  /** Those that exist, each with what is quoted of it. The caller checks access. */
  async current(notifications: readonly NotificationDocument[]): Promise<ReadonlyMap<Id, Quoted>> {
    const ids = (kind: NotificationSubject['kind']): readonly Id[] => [
      ...new Set(notifications.flatMap(({ subject }) => (subject.kind === kind ? [subject.id] : []))),
    ];
    const [versions, regions, collections, comments, todos] = await Promise.all([
      this.versions.views(ids('version')),
      this.regions.views(ids('region')),
      this.collections.existing(ids('collection')),
      this.posts.comment(ids('comment')),
      this.posts.todo(ids('todo')),
    ]);
    const summaries = versions.map(({ _id, tinySummary, taggedUsers }) => [_id, { text: quoteOf(tinySummary), mentions: taggedUsers }] as const);
    const untexted = [...regions.map(({ _id }) => _id), ...collections].map((id) => [id, NOTHING] as const);
    return new Map([...summaries, ...untexted, ...comments, ...todos]);
  }
}
