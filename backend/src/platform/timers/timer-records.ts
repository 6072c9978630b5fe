import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { VaultRange, VaultRecord } from '../vault/vault.js';
import type { Timer } from './timer.js';

/** The vault collection of timers, and what they are searched by. */
export const TIMERS = { name: 'timers', indexes: ['next', 'due', 'parked'] } as const;

/** A timer as the vault holds it. `next` and `due` sort by kind and instant; a parked timer has neither. */
export type TimerRecord = {
  readonly kind: string;
  readonly key: string;
  readonly at: Instant;
  readonly data?: Readonly<Record<string, Id>>;
  readonly position?: Position;
  readonly by?: Uid;
  /** How often it failed, transient errors not counted. */
  readonly tries: number;
  /** When it is tried next: `at`, or later after a failure. */
  readonly next?: string;
  /** When it was to fire: what its lag is measured by. */
  readonly due?: string;
  /** The kind, once it is parked. */
  readonly parked?: string;
};

/** A stored timer with its version. */
export type StoredTimer = VaultRecord<TimerRecord>;

/** A timer's id in the vault. */
export const recordId = ({ kind, key }: Pick<Timer, 'kind' | 'key'>): string => `${kind}/${key}`;

/** Enough digits for every whole number that is exact. */
const DIGITS = 16;

/** A kind and an instant as one text that sorts by both. */
export const slotOf = (kind: string, at: Instant): string => `${kind}/${String(at).padStart(DIGITS, '0')}`;

/**
 * A slot of a timer's own, so that those of one instant can be read page by page. It ends with the instant, where earlier versions look for it; they stored
 * the shared slot.
 */
const ownSlotOf = ({ kind, key }: Pick<Timer, 'kind' | 'key'>, at: Instant): string => `${slotOf(kind, at)}/${key}/${String(at).padStart(DIGITS, '0')}`;

/** The instant in a slot. */
export const instantIn = (slot: string): Instant => Number(slot.slice(-DIGITS));

/** The due ones of one kind, earliest first, up to and including an instant. */
export const dueSlots = (kind: string, at: Instant, limit: number): VaultRange => ({ field: 'due', from: slotOf(kind, 0), to: slotOf(kind, at), limit });

/** Everything of one kind, earliest first, from an instant or a slot. */
export const nextSlots = (kind: string, from: Instant | string, limit: number): VaultRange => ({
  field: 'next',
  from: typeof from === 'string' ? from : slotOf(kind, from),
  to: slotOf(kind, Number.MAX_SAFE_INTEGER),
  limit,
});

/** A timer as it is stored when it is set. */
export function newRecord(timer: Timer): TimerRecord {
  const { kind, at } = timer;
  return { ...timerOf(timer), tries: 0, next: ownSlotOf(timer, at), due: slotOf(kind, at) };
}

/** The record of a timer that failed and is tried again at `next`. */
export const retriedRecord = ({ parked: _parked, ...record }: TimerRecord, next: Instant, tries: number): TimerRecord => ({
  ...record,
  tries,
  next: ownSlotOf(record, next),
  due: slotOf(record.kind, record.at),
});

/** The record of a parked timer, which is not tried again until an operator replays it. */
export const parkedRecord = ({ next: _next, due: _due, ...record }: TimerRecord, tries: number): TimerRecord => ({ ...record, tries, parked: record.kind });

/** What handlers get. */
export const timerOf = ({ kind, key, at, data, position, by }: Timer): Timer => ({
  kind,
  key,
  at,
  ...(data === undefined ? {} : { data }),
  ...(position === undefined ? {} : { position }),
  ...(by === undefined ? {} : { by }),
});
