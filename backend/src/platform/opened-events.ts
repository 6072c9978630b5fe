import type { StoredEvent } from '../kernel/event.js';
import type { PersonalData } from './personal-data.js';

/** Turns events as the log holds them into what deciders and projectors read: newest shape, sealed fields opened. */
export class OpenedEvents {
  constructor(
    private readonly personalData: PersonalData,
    private readonly upcast: (event: StoredEvent) => StoredEvent,
  ) {}

  async open(events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    return events.length === 0 ? events : (await this.personalData.openAll(events)).map(this.upcast);
  }
}
