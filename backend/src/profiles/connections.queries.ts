import { Injectable } from '@nestjs/common';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream } from '@roughmix/contracts/users/user.events.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { CONNECTIONS, type ConnectionsDocument, ERASED_PEOPLE, type ErasedPersonDocument } from './connections.documents.js';

/** A user who missed more erasures has to reload. */
const MAX_ERASURES = 100;

/** Who is connected with whom. */
@Injectable()
export class ConnectionsQueries {
  constructor(private readonly reads: ReadModels) {}

  /** A user's connections, each with the time since when, and the position of their last change. */
  async of(uid: Uid): Promise<Pick<ConnectionsDocument, 'since' | 'uids' | 'position'>> {
    return (await this.reads.get<ConnectionsDocument>(CONNECTIONS, uid)) ?? { since: {}, uids: [], position: 0 };
  }

  /** Who may have seen the name of an erased user: those connected with them, and those who shared a project and so were notified by them. */
  async audienceOf(erasedUid: Uid): Promise<readonly Uid[]> {
    return (await this.reads.get<ErasedPersonDocument>(ERASED_PEOPLE, erasedUid))?.audience ?? [];
  }

  /** The streams with the pushes of this read model for a user; null if they are too many. */
  async streamsOf(uid: Uid, after: Position): Promise<readonly string[] | null> {
    const invited = (await this.reads.get<ConnectionsDocument>(CONNECTIONS, uid))?.invited ?? null;
    const where = { field: 'audience', value: uid };
    const newest = await this.reads.find<ErasedPersonDocument>(ERASED_PEOPLE, { where, sort: 'descending', limit: MAX_ERASURES });
    const erased = newest.filter(({ position }) => position > after);
    if (erased.length === MAX_ERASURES) return null;
    const ofInvitation = invited !== null && invited.position > after ? [projectStream(invited.projectId)] : [];
    return [...ofInvitation, ...erased.map((person) => userStream(person.uid))];
  }
}
