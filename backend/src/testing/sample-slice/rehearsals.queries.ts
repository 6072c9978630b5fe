import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import { ReadModels } from '../../platform/projections/read-models.js';
import { maySeeRehearsal } from './rehearsal.access.js';
import type { RehearsalNoticeView, RehearsalView } from './rehearsal.view.js';
import {
  REHEARSAL_MEMBERS,
  REHEARSAL_NOTICES,
  type RehearsalDocument,
  type RehearsalMember,
  type RehearsalNotice,
  REHEARSALS,
} from './rehearsals.documents.js';

/** More than can be invited. */
const MOST_MEMBERS = 1_000;
const MOST_REHEARSALS = 1_000;

@Injectable()
export class RehearsalsQueries {
  constructor(private readonly reads: ReadModels) {}

  /** @throws Refused `route.not-found` when it is not there for this person */
  async seenBy(rehearsalId: Id, uid: Uid): Promise<RehearsalView> {
    const rehearsal = await this.reads.get<RehearsalDocument>(REHEARSALS, rehearsalId);
    if (rehearsal === null || !maySeeRehearsal(rehearsal, uid)) throw new Refused('route.not-found');
    return this.viewOf(rehearsal);
  }

  /** Null when there is none. */
  async roomView(rehearsalId: Id): Promise<RehearsalView | null> {
    const rehearsal = await this.reads.get<RehearsalDocument>(REHEARSALS, rehearsalId);
    return rehearsal === null ? null : this.viewOf(rehearsal);
  }

  async memberUids(rehearsalId: Id): Promise<readonly Uid[]> {
    const where = { field: 'rehearsalId', value: rehearsalId };
    const members = await this.reads.find<RehearsalMember>(REHEARSAL_MEMBERS, { where, limit: MOST_MEMBERS });
    return members.map(({ uid }) => uid);
  }

  /** The rehearsals of a member; null when they are too many to be listed. */
  async ofMember(uid: Uid): Promise<readonly RehearsalDocument[] | null> {
    const memberships = await this.reads.find<RehearsalMember>(REHEARSAL_MEMBERS, { where: { field: 'uid', value: uid }, limit: MOST_REHEARSALS });
    if (memberships.length === MOST_REHEARSALS) return null;
    const ids = memberships.map(({ rehearsalId }) => rehearsalId);
    return this.reads.getMany<RehearsalDocument>(REHEARSALS, ids);
  }

  /** The newest first. */
  async noticesFor(uid: Uid): Promise<readonly RehearsalNoticeView[]> {
    const notices = await this.reads.find<RehearsalNotice>(REHEARSAL_NOTICES, { where: { field: 'uid', value: uid }, sort: 'descending' });
    return notices.map(({ uid: _own, ...notice }) => notice);
  }

  private async viewOf({ rehearsalId, hostUid, place, startsAt, phase, position }: RehearsalDocument): Promise<RehearsalView> {
    return { _id: rehearsalId, hostUid, place, startsAt, phase, memberUids: await this.memberUids(rehearsalId), position };
  }
}
