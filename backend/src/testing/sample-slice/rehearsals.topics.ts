import { Injectable } from '@nestjs/common';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { parseBody } from '../../platform/http/body.js';
import type { JoinMessage, TopicKind, TopicSource } from '../../platform/live/topics.js';
import type { UserStreams } from '../../platform/live/user-topic.js';
import { InGroup, LeftGroup } from './rehearsal.api.js';
import { rehearsalStream } from './rehearsal.events.js';
import { RehearsalsQueries } from './rehearsals.queries.js';

const inGroup: JoinMessage = {
  join: 'in-group',
  leave: 'left-group',
  kinds: ['group'],
  notFound: 'route.not-found',
  limit: LIMITS.projectsPerSocket,
  readJoin(body) {
    const { groupId, ...from } = parseBody(InGroup, body);
    return { id: groupId, ...from };
  },
  readLeave: (body) => parseBody(LeftGroup, body).groupId,
};

/** The rooms of rehearsals, joined by `in-group`, and the rehearsals whose events a member's own room carries. */
@Injectable()
export class RehearsalTopics implements TopicSource, UserStreams {
  readonly kinds: readonly TopicKind[];
  readonly joins = [inGroup];

  constructor(private readonly rehearsals: RehearsalsQueries) {
    this.kinds = [
      {
        kind: 'group',
        async access(rehearsalId) {
          const members = new Set(await rehearsals.memberUids(rehearsalId));
          return (uid) => members.has(uid);
        },
        streamsOf: (rehearsalId) => Promise.resolve([rehearsalStream(rehearsalId)]),
      },
    ];
  }

  async streamsOf(uid: Uid, after: Position): Promise<readonly string[] | null> {
    const found = await this.rehearsals.ofMember(uid);
    if (found === null) return null;
    return found.filter(({ position }) => position > after).map(({ rehearsalId }) => rehearsalStream(rehearsalId));
  }
}
