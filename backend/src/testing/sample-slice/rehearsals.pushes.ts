import { Injectable } from '@nestjs/common';
import { type Topic, userTopic } from '@roughmix/contracts/live.js';
import type { Stored } from '../../kernel/decider.js';
import type { StoredEvent } from '../../kernel/event.js';
import { idInStream } from '../../kernel/stream-name.js';
import { type Emission, factsOf, type LiveStep, type PushSource } from '../../platform/live/live-message.js';
import type { RehearsalEvent } from './rehearsal.events.js';
import { type RehearsalPush, rehearsalTopic } from './rehearsal.live.js';
import { RehearsalsQueries } from './rehearsals.queries.js';

/** Pushes of rehearsals: to their rooms, and what members must not miss to each member's own room as well. */
@Injectable()
export class RehearsalsPushes implements PushSource {
  constructor(private readonly rehearsals: RehearsalsQueries) {}

  async steps(stored: StoredEvent): Promise<readonly LiveStep[]> {
    const event = stored as Stored<RehearsalEvent>;
    const topic = rehearsalTopic(idInStream(event));
    switch (event.type) {
      case 'RehearsalJoined':
        return [this.shown(event, 'RehearsalMembers', [topic])];
      case 'RehearsalLeft':
        return [{ kind: 'evict', topic, uids: [event.data.uid] }, this.shown(event, 'RehearsalMembers', [topic])];
      case 'RehearsalMoved':
      case 'RehearsalCancelled':
      case 'RehearsalStarted': {
        const uids = await this.rehearsals.memberUids(topic.id);
        return [{ ...this.shown(event, event.type, [topic, ...uids.map(userTopic)]), subject: topic }];
      }
      default:
        return [];
    }
  }

  private shown(event: StoredEvent, type: RehearsalPush['type'], topics: readonly Topic[]): Emission {
    const build = async (): Promise<readonly RehearsalPush[]> => {
      const view = await this.rehearsals.roomView(idInStream(event));
      return view === null ? [] : [{ ...factsOf(event), type, view }];
    };
    return { kind: 'emit', topics, channel: 'rehearsals', build };
  }
}
