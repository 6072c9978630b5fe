import type { UnreadableReason } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import { newestTypeWith, type Upcaster, upcastWith } from '../../kernel/upcast.js';
import type { FieldSealer } from '../personal-data/field-sealer.js';

/** An event that this program cannot read, by its place in the log. The message holds nothing of what the event says. */
export class EventUnreadable extends Error {
  override readonly name = 'EventUnreadable';
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** The newest name of the event's shape, as far as upcasters lead. */
  readonly type: string;

  constructor(
    event: StoredEvent,
    readonly reason: UnreadableReason,
    options: { readonly type?: string; readonly cause?: unknown } = {},
  ) {
    super(`event ${event.position} of ${event.stream} cannot be read: ${reason}`, { cause: options.cause });
    this.stream = event.stream;
    this.revision = event.revision;
    this.position = event.position;
    this.type = options.type ?? event.type;
  }
}

/** An event ready to be read, or why it is not. */
export type Opened = { readonly event: StoredEvent; readonly failure?: undefined } | { readonly event?: undefined; readonly failure: EventUnreadable };

/** Turns events as the log holds them into what deciders and projectors read: newest shape, sealed fields opened. */
export class OpenedEvents {
  /** The name that an event's type has in the newest shape. */
  readonly newestType: (type: string) => string;
  private readonly upcast: (event: StoredEvent) => StoredEvent;

  constructor(
    private readonly sealer: FieldSealer,
    upcasters: readonly Upcaster[],
  ) {
    this.newestType = newestTypeWith(upcasters);
    this.upcast = upcastWith(upcasters);
  }

  /** For folding, which must not skip anything. @throws EventUnreadable at the first event that cannot be read; ServiceUnavailable when the keys cannot be read */
  async open(events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    return (await this.openEach(events)).map(({ event, failure }) => {
      if (failure !== undefined) throw failure;
      return event;
    });
  }

  /** For callers that can skip unreadable events: one result per event, in order. @throws ServiceUnavailable when the keys cannot be read */
  async openEach(events: readonly StoredEvent[]): Promise<readonly Opened[]> {
    if (events.length === 0) return [];
    const unsealed = await this.sealer.openEach(events);
    return events.map((event, at) => this.opened(event, unsealed[at] ?? event));
  }

  private opened(stored: StoredEvent, unsealed: StoredEvent | Error): Opened {
    const type = this.newestType(stored.type);
    if (!this.sealer.knows(type)) return { failure: new EventUnreadable(stored, 'unknown-type', { type }) };
    if (unsealed instanceof Error) return { failure: new EventUnreadable(stored, 'sealed', { type, cause: unsealed }) };
    try {
      return { event: this.upcast(unsealed) };
    } catch (error) {
      return { failure: new EventUnreadable(stored, 'upcast', { type, cause: error }) };
    }
  }
}
