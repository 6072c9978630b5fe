import { Inject, Injectable } from '@nestjs/common';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { EVENT_STORE } from '../tokens.js';
import { LiveFeed } from './live-feed.js';
import { type Emission, type LiveStep, type RoomAccess, ROOM_ACCESS, type RoomKind, roomOf, userRoom } from './live-message.js';
import { missedEvents } from './missed.js';

/** When no more than so many events came while the last were made, the rest is made while the feed waits. */
const NEAR = 20;

/** Who comes back to a project, and from where on. */
export interface Return {
  readonly projectId: Id;
  readonly uid: Uid;
  readonly as: RoomKind;
  readonly after: Position;
}

/** What somebody missed, as it will be told: in order, and how many events it was. Made without an end, it can be carried on. */
export interface Missed {
  readonly until: Position;
  /** The revision behind the last of them, once it is known. */
  readonly next?: number | undefined;
  readonly events: number;
  readonly bytes: number;
  readonly emissions: readonly Emission[];
}

/** Makes the messages that somebody missed. Null everywhere stands for: not to be told one by one. */
@Injectable()
export class CatchUp {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(ROOM_ACCESS) private readonly access: RoomAccess,
    private readonly feed: LiveFeed,
    private readonly opened: OpenedEvents,
  ) {}

  /** Most of what was missed, made while the feed goes on. */
  async begin(back: Return): Promise<Missed | null> {
    // A page may have been loaded a moment ahead of the feed; a position that the log has not come to belongs to another log.
    if (back.after > this.feed.position && (back.after > (await this.store.head()) || !(await this.feed.comesTo(back.after)))) return null;
    let missed: Missed | null = { until: back.after, events: 0, bytes: 0, emissions: [] };
    // Positions lie far apart in some logs, so that only events say how much it was.
    for (let before: number = -Infinity; missed !== null && missed.events - before > NEAR;) {
      before = missed.events;
      missed = await this.goOn(back, missed);
    }
    return missed;
  }

  /** What has come since, up to the feed's position. */
  async goOn(back: Return, missed: Missed): Promise<Missed | null> {
    const span = { after: missed.until, until: this.feed.position, from: missed.next };
    const found = await missedEvents(this.store, this.access.streamOf(back.projectId), span, LIMITS.catchUpEvents - missed.events);
    if (found === null) return null;
    const events = (await this.opened.openEach(found.events)).flatMap(({ event }) => event ?? []);
    const emissions = [...missed.emissions];
    let { bytes } = missed;
    for (const event of events) {
      const steps = await this.stepsOf(event);
      if (steps === null || steps.some((step) => changesAccess(step, back))) return null;
      const mine = steps.filter((step): step is Emission => step.kind === 'emit' && isFor(back, step.room));
      bytes += mine.reduce((sum, { push }) => sum + JSON.stringify(push).length, 0);
      if (bytes > LIMITS.catchUpBytes) return null;
      emissions.push(...mine);
    }
    return { until: span.until, next: found.next, events: missed.events + found.events.length, bytes, emissions };
  }

  private async stepsOf(event: StoredEvent): Promise<readonly LiveStep[] | null> {
    const { steps, failed } = await this.feed.stepsOf(event);
    return failed ? null : steps;
  }
}

const isFor = ({ projectId, as, uid }: Return, room: string): boolean => room === roomOf(projectId, as) || room === userRoom(uid);

/** Whether somebody did not see the project all the time, or saw another side of it: they were removed, or came in, or it was closed to visitors. */
function changesAccess(step: LiveStep, { projectId, uid, as }: Return): boolean {
  if (step.kind === 'emit') return false;
  if (step.uids !== 'everybody') return step.uids.includes(uid);
  return step.kind === 'evict' && step.room === roomOf(projectId, as);
}
