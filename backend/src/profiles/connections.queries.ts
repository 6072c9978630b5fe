import { Injectable } from '@nestjs/common';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
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

  /** Those of the users who have someone among their connections. */
  async having(other: Uid, uids: readonly Uid[]): Promise<ReadonlySet<Uid>> {
    const found = await this.reads.getMany<ConnectionsDocument>(CONNECTIONS, uids);
    return new Set(found.filter((each) => each.uids.includes(other)).map(({ uid }) => uid));
  }

  /** Whether an event of another stream was the last that changed a user's connections. */
  async isChangedBy({ stream, position }: StoredEvent, uid: Uid): Promise<boolean> {
    const elsewhere = (await this.reads.get<ConnectionsDocument>(CONNECTIONS, uid))?.elsewhere ?? null;
    return elsewhere !== null && elsewhere.stream === stream && elsewhere.position === position;
  }

  /** Who may have seen the name of an erased user: those connected with them, and those who shared a project and so were notified by them. */
  async audienceOf(erasedUid: Uid): Promise<readonly Uid[]> {
    return (await this.reads.get<ErasedPersonDocument>(ERASED_PEOPLE, erasedUid))?.audience ?? [];
  }

  /** The streams with the pushes of this read model for a user; null if they are too many. */
  async streamsOf(uid: Uid, after: Position): Promise<readonly string[] | null> {
    const elsewhere = (await this.reads.get<ConnectionsDocument>(CONNECTIONS, uid))?.elsewhere ?? null;
    const where = { field: 'audience', value: uid };
    const newest = await this.reads.find<ErasedPersonDocument>(ERASED_PEOPLE, { where, sort: 'descending', limit: MAX_ERASURES });
    const erased = newest.filter(({ position }) => position > after);
    if (erased.length === MAX_ERASURES) return null;
    const changed = elsewhere !== null && elsewhere.position > after ? [elsewhere.stream] : [];
    return [...changed, ...erased.map((person) => userStream(person.uid))];
  }
}
