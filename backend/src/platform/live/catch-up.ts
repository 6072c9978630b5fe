import { Inject, Injectable } from '@nestjs/common';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { EVENT_STORE } from '../tokens.js';
import { LiveFeed } from './live-feed.js';
import { type Emission, type LiveStep, type RoomAccess, ROOM_ACCESS, type RoomKind, roomOf, userRoom } from './live-message.js';
import { missedEvents, type Span } from './missed.js';

/** So near behind the feed, the rest is made while the feed waits. */
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
    do missed = await this.goOn(back, missed);
    while (missed !== null && this.feed.position - missed.until > NEAR);
    return missed;
  }

  /** What has come since, up to the feed's position. */
  async goOn(back: Return, missed: Missed): Promise<Missed | null> {
    const span = { after: missed.until, until: this.feed.position };
    const events = await this.eventsIn(back, span, LIMITS.catchUpEvents - missed.events);
    if (events === null) return null;
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
    return { until: span.until, events: missed.events + events.length, bytes, emissions };
  }

  private async eventsIn(back: Return, span: Span, most: number): Promise<readonly StoredEvent[] | null> {
    const events = await missedEvents(this.store, this.access.streamOf(back.projectId), span, most);
    return events && (await this.opened.openEach(events)).flatMap(({ event }) => event ?? []);
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
