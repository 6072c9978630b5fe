import { Inject, Injectable, Module } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { UnsubscribeTokens } from '../mailings/unsubscribe-tokens.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import { PushQueue } from '../platform/push/push-queue.js';
import type { Timer } from '../platform/timers/timer.js';
import { Timers } from '../platform/timers/timers.js';
import { VAULT } from '../platform/tokens.js';
import type { Vault } from '../platform/vault/vault.js';
import { startApp, type TestApp } from './app.js';
import { manualClock } from './temporary-vault.js';

const DEADLINE_MS = 20_000;
export const PUBLIC_URL = 'http://mix.example';

/** The running program with a clock that specs move, and what its e-mails depend on. */
export interface MailingApp {
  readonly app: TestApp;
  readonly clock: ReturnType<typeof manualClock>;
  readonly vault: () => Vault;
  readonly tokens: () => UnsubscribeTokens;
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
  let inside: { readonly timers: Timers; readonly vault: Vault; readonly tokens: UnsubscribeTokens; readonly pushes: PushQueue } | undefined;
  @Injectable()
  class Inside {
    constructor(timers: Timers, keys: VaultKeys, pushes: PushQueue, @Inject(VAULT) vault: Vault) {
      inside = { timers, vault, pushes, tokens: new UnsubscribeTokens(keys) };
    }
  }
  @Module({ providers: [Inside] })
  class InsideModule {}
  const clock = manualClock();
  if (startsAt !== undefined) clock.move(startsAt - clock.now());
  const manifest = { name: 'inside', load: () => Promise.resolve({ parts: { module: InsideModule } }) };
  const app = await startApp({ PUBLIC_URL, ...environment }, { clock: clock.now, manifests: [manifest] });
  const current = (): NonNullable<typeof inside> => inside ?? never();
  const timerAt = async (kind: string, key: Id, at: number | null): Promise<Timer | null> => {
    for (const until = Date.now() + DEADLINE_MS; ;) {
      const timer = await current().timers.get(kind, key);
      if ((timer?.at ?? null) === at) return timer;
      if (Date.now() > until) throw new Error(`the timer is ${JSON.stringify(timer)}`);
      await pause(5);
    }
  };
  return {
    app,
    clock,
    vault: () => current().vault,
    tokens: () => current().tokens,
    async pushed(notificationId) {
      for (const until = Date.now() + DEADLINE_MS; !(await current().pushes.outcomeOf(notificationId)).accepted; await pause(5)) {
        if (Date.now() > until) throw new Error('no push service accepted the notification');
      }
    },
    timer: (kind, key) => current().timers.get(kind, key),
    set: (timer) => current().timers.set(timer),
    timerAt,
    async moveTo(instant, kind) {
      clock.move(instant - clock.now());
      // Wakes the loop, which sleeps by the real clock, and fires last.
      await current().timers.set({ kind, key: 'last', at: instant });
      await timerAt(kind, 'last', null);
    },
  };
}

function never(): never {
  throw new Error('the program has not started');
}
