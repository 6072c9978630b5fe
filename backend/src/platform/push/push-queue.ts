import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import { CLOCK, VAULT } from '../tokens.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { type EndedPush, type NewPush, type PushEnd, PUSHES, type WaitingPush } from './push-records.js';
import { PUSH_TTL_MS } from './web-push.js';

const HOUR_MS = 60 * 60_000;
/** Longer than an event is pushed after it happened, so that no repeat of a reaction sends its message again. */
const RETENTION_MS = PUSH_TTL_MS + HOUR_MS;
/** A user whose push services do not answer has at most so many waiting messages, over all browsers. */
const MAX_WAITING = 200;
const MAX_DUE = 1_000;

/** What has become of a notification's messages so far. Both are false before they are queued, and when there are none. */
export interface PushOutcome {
  /** A push service has accepted one. */
  readonly accepted: boolean;
  /** One is still being tried. */
  readonly waiting: boolean;
}

/** Messages to browsers that wait for their push service, in the vault. Adding one again changes nothing; sending is at least once (ADR 57). */
@Injectable()
export class PushQueue implements OnModuleInit {
  private readonly listeners = new Set<() => void>();

  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.vault.declare({ name: PUSHES, indexes: ['uid', 'notificationId', 'waitsFor', 'dueAt', 'queuedAt'] });
  }

  /** Queues a notification for these subscriptions of its receiver; durable when it resolves. @returns false if too many of the user's messages wait already */
  async add(push: NewPush, subscriptionIds: readonly Id[]): Promise<boolean> {
    const { uid, notificationId } = push;
    const waiting = await this.vault.find(PUSHES, { field: 'waitsFor', value: uid, limit: MAX_WAITING });
    if (waiting.length + subscriptionIds.length > MAX_WAITING) return false;
    const now = this.clock();
    for (const subscriptionId of subscriptionIds) {
      const record: WaitingPush = { ...push, subscriptionId, queuedAt: now, state: 'waiting', waitsFor: uid, tries: 0, dueAt: now };
      await this.vault.insert(PUSHES, `${notificationId}-${subscriptionId}`, record);
    }
    for (const listener of this.listeners) listener();
    return true;
  }

  /** Calls `listener` whenever this process has queued messages. @returns unsubscribes */
  onAdded(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What has become of a notification's messages. */
  async outcomeOf(notificationId: Id): Promise<PushOutcome> {
    const records = await this.vault.find<WaitingPush | EndedPush>(PUSHES, { field: 'notificationId', value: notificationId });
    return { accepted: records.some(({ body }) => body.state === 'accepted'), waiting: records.some(({ body }) => body.state === 'waiting') };
  }

  /** Messages that are to be tried now, the longest overdue first. */
  due(): Promise<readonly VaultRecord<WaitingPush>[]> {
    return this.vault.range<WaitingPush>(PUSHES, { field: 'dueAt', from: 0, to: this.clock(), limit: MAX_DUE });
  }

  /** Counts an attempt that is about to begin; unless its result is stored, the message is due again at `dueAt`. @returns false if it changed meanwhile */
  claim({ id, version, body }: VaultRecord<WaitingPush>, dueAt: Instant): Promise<boolean> {
    return this.vault.replace(PUSHES, id, version, { ...body, tries: body.tries + 1, dueAt });
  }

  async postpone(id: string, dueAt: Instant): Promise<void> {
    await this.change(id, (push) => ({ ...push, dueAt }));
  }

  async end(id: string, state: PushEnd): Promise<void> {
    await this.change(id, ({ dueAt: _dueAt, waitsFor: _waitsFor, ...push }) => ({ ...push, state }));
  }

  /** How many messages wait (at most 1,000 are counted), and by how many seconds the oldest due one is late. */
  async status(): Promise<{ readonly waiting: number; readonly behindSeconds: number }> {
    const waiting = await this.vault.range<WaitingPush>(PUSHES, { field: 'dueAt', from: 0, to: Number.MAX_SAFE_INTEGER, limit: MAX_DUE });
    const [oldest] = waiting;
    return { waiting: waiting.length, behindSeconds: oldest === undefined ? 0 : Math.max(0, (this.clock() - oldest.body.dueAt) / 1_000) };
  }

  /** Deletes everything about a user's messages. */
  async forget(uid: Uid): Promise<void> {
    await this.vault.removeWhere(PUSHES, 'uid', uid);
  }

  /** Removes what is too old to be sent again. */
  async sweep(): Promise<void> {
    for (;;) {
      const old = await this.vault.range(PUSHES, { field: 'queuedAt', from: 0, to: this.clock() - RETENTION_MS });
      for (const { id } of old) await this.vault.remove(PUSHES, id);
      if (old.length === 0) return;
    }
  }

  private async change(id: string, to: (push: WaitingPush) => WaitingPush | EndedPush): Promise<void> {
    for (let found = await this.waiting(id); found !== null; found = await this.waiting(id)) {
      if (await this.vault.replace(PUSHES, id, found.version, to(found.body))) return;
    }
  }

  private async waiting(id: string): Promise<VaultRecord<WaitingPush> | null> {
    const found = await this.vault.get<WaitingPush | EndedPush>(PUSHES, id);
    return found?.body.state === 'waiting' ? (found as VaultRecord<WaitingPush>) : null;
  }
}
