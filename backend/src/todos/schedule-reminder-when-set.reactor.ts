import { Inject, Injectable } from '@nestjs/common';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { idInStream } from '../kernel/stream-name.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { Timers } from '../platform/timers/timers.js';
import { EVENT_STORE, VAULT } from '../platform/tokens.js';
import { lastRestore } from '../platform/vault/last-restore.js';
import type { Vault } from '../platform/vault/vault.js';
import { PendingReminders } from './pending-reminders.queries.js';
import { REMINDER_TIMERS, reminderKey, reminderTimer, RemindOfTodo } from './remind-of-todo.timer.js';

/** Sets the timer of a reminder, and cancels it when the reminder is moved or removed. */
@Injectable()
export class ScheduleReminderWhenSet implements Reactor {
  readonly name = 'schedule-reminder-when-set';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set(['TodoAdded', 'TodoEdited']);

  constructor(
    private readonly timers: Timers,
    private readonly remind: RemindOfTodo,
    private readonly pending: PendingReminders,
    private readonly readSide: ReadSide,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  async react(stored: StoredEvent): Promise<void> {
    const event = stored as Stored<ProjectStreamEvent>;
    if (event.type !== 'TodoAdded' && event.type !== 'TodoEdited') return;
    const { todoId } = event.data;
    const { actorUid } = event.meta;
    const from = event.type === 'TodoAdded' ? undefined : event.data.due?.from.reminder?.at;
    const to = (event.type === 'TodoAdded' ? event.data.due : event.data.due?.to)?.reminder?.at;
    if (from === to) return;
    if (from !== undefined) await this.timers.cancel(REMINDER_TIMERS, reminderKey({ todoId, at: from }));
    if (to === undefined) return;
    const reminder = { projectId: idInStream(event), todoId, at: to, position: event.position };
    await this.timers.set(reminderTimer({ ...reminder, ...(actorUid === null ? {} : { by: actorUid }) }));
  }

  /**
   * Skips reminders that were due before the last restore, and sets the timers that it lost: a vault is copied after its log, so a timer may have fired or
   * been cancelled after the log was copied. @throws Refused `store.away` while read models lag behind the log
   */
  async afterRestore(): Promise<void> {
    await this.readSide.waitFor(await this.store.head());
    const restoredAt = await lastRestore(this.vault);
    for await (const reminder of this.pending.all()) {
      if (reminder.at <= restoredAt) await this.remind.skip(reminder);
      else if ((await this.timers.get(REMINDER_TIMERS, reminderKey(reminder))) === null) await this.timers.set(reminderTimer(reminder));
    }
  }
}
