import { setTimeout as pause } from 'node:timers/promises';
import type { MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { UnsubscribeTokens } from '../mailings/unsubscribe-tokens.js';
import type { Timer } from '../platform/timers/timer.js';
import { instantIn } from '../platform/timers/timer-records.js';
import type { Vault } from '../platform/vault/vault.js';
import { startApp, type TestApp } from './app.js';
import { manualClock } from './manual-clock.js';
import { outboxOf } from './outbox.js';
import type { ReadEmail } from './read-email.js';
import { bodyOf } from './test-client.js';

const DEADLINE_MS = 20_000;
export const PUBLIC_URL = 'http://mix.example';

/** The running program with a clock that specs move, and what its e-mails depend on. */
export interface MailingApp {
  readonly app: TestApp;
  readonly clock: ReturnType<typeof manualClock>;
  readonly vault: () => Vault;
  readonly tokens: () => UnsubscribeTokens;
  /** Those in the outbox, once no e-mail waits any more. */
  readonly emails: () => Promise<readonly ReadEmail[]>;
  /** Resolves once a push service has accepted a notification. */
  readonly pushed: (notificationId: Id) => Promise<void>;
  readonly timer: (kind: string, key: Id) => Promise<Timer | null>;
  readonly set: (timer: Timer) => Promise<void>;
  /** The timer of a kind and key once it is set to this instant; null: once it is gone. */
  readonly timerAt: (kind: string, key: Id, at: number | null) => Promise<Timer | null>;
  /** Moves the clock to an instant, and waits until everything of a kind that is due then has fired. */
  readonly moveTo: (instant: number, kind: string) => Promise<void>;
}

/** @param startsAt what the clock shows at first */
export async function startMailingApp(environment: NodeJS.ProcessEnv = {}, startsAt?: number): Promise<MailingApp> {
  const clock = manualClock();
  if (startsAt !== undefined) clock.move(startsAt - clock.now());
  const app = await startApp({ PUBLIC_URL, ...environment }, { clock: clock.now });
  const timerAt = async (kind: string, key: Id, at: number | null): Promise<Timer | null> => {
    for (const until = Date.now() + DEADLINE_MS; ;) {
      const timer = await app.inside.timers.get(kind, key);
      if ((timer?.at ?? null) === at) return timer;
      if (Date.now() > until) throw new Error(`the timer is ${JSON.stringify(timer)}`);
      await pause(5);
    }
  };
  const emails = async (): Promise<readonly ReadEmail[]> => {
    const { waiting } = bodyOf(await app.anonymous.get<MailStatus>(`/api/admin/${app.adminKey}/mail`));
    return waiting > 0 ? emails() : outboxOf(app);
  };
  return {
    app,
    clock,
    emails,
    vault: () => app.inside.vault,
    tokens: () => app.inside.tokens,
    async pushed(notificationId) {
      for (const until = Date.now() + DEADLINE_MS; !(await app.inside.pushes.outcomeOf(notificationId)).accepted; await pause(5)) {
        if (Date.now() > until) throw new Error('no push service accepted the notification');
      }
    },
    timer: (kind, key) => app.inside.timers.get(kind, key),
    set: (timer) => app.inside.timers.set(timer),
    timerAt,
    async moveTo(instant, kind) {
      clock.move(instant - clock.now());
      // Wakes the loop, which sleeps by the real clock.
      await app.inside.timers.set({ kind, key: 'wake', at: instant });
      const isDue = async (): Promise<boolean> => (await app.inside.timers.upcoming(kind, 1)).some(({ body }) => instantIn(body.next ?? '') <= instant);
      for (const until = Date.now() + DEADLINE_MS; await isDue(); await pause(5)) {
        if (Date.now() > until) throw new Error(`timers of the kind ${kind} do not fire`);
      }
    },
  };
}
