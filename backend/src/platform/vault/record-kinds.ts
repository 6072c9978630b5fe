import type { Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { Document } from '../documents/documents.js';

/** Where reactors and publishers keep how far they have come. */
const CHECKPOINTS = 'reactor-checkpoints';

/** What becomes of a kind of record where a log is put back from a copy, and where it moves to other servers. */
export interface RecordKind {
  readonly restored: 'kept' | 'left out';
  readonly moved: 'kept' | 'left out';
}

/** For records that cannot be recreated. */
export const KEPT: RecordKind = { restored: 'kept', moved: 'kept' };
/** Who was signed in when the copy was made may have signed out since; a move happens in one moment. */
const OF_THE_MOMENT: RecordKind = { restored: 'left out', moved: 'kept' };
/** Means something to the processes of this place alone, and is made anew. */
const OF_THE_PLACE: RecordKind = { restored: 'left out', moved: 'left out' };
/** Says what was done to this place. */
const OF_THE_STORES: RecordKind = { restored: 'kept', moved: 'left out' };

/** Kinds of vault record by name. */
export type RecordKinds = Readonly<Record<string, RecordKind>>;

/**
 * The kinds of vault record that the platform owns; slices declare theirs in their manifests. A kept record follows the log: see `settledRecord`, and the
 * positions that a move gives.
 */
export const RECORD_KINDS: RecordKinds = {
  'vault-keys': KEPT,
  'data-keys': KEPT,
  erased: KEPT,
  [CHECKPOINTS]: KEPT,
  'parked-reactions': KEPT,
  // Whether timers due before a restore fire is declared by their handler; `restores` holds its instant.
  timers: KEPT,
  restores: KEPT,
  // A letter that waited when the copy was made may go out twice; none is lost.
  letters: KEPT,
  sessions: OF_THE_MOMENT,
  // Failures that were counted.
  throttle: OF_THE_PLACE,
  // Files on their way to an address that this place gave.
  uploads: OF_THE_PLACE,
  'upload-slots': OF_THE_PLACE,
  // Who works, what was asked of them, who looks at what.
  leases: OF_THE_PLACE,
  orders: OF_THE_PLACE,
  presence: OF_THE_PLACE,
  readiness: OF_THE_PLACE,
  // What is kept of opened texts; read models, which hold it, are built anew.
  'key-epoch': OF_THE_PLACE,
  // Which log this vault belongs to: after either it is another one.
  'log-of-vault': OF_THE_PLACE,
  moves: OF_THE_STORES,
  settlings: OF_THE_STORES,
};

/** Whether records of a kind stay behind. Kinds that this version does not know are included: they may be valuable. */
export const isLeftOut = (kinds: RecordKinds, kind: string, where: keyof RecordKind): boolean => kinds[kind]?.[where] === 'left out';

/** The place of the event that a record follows from; 0 when it says none. */
export const positionIn = (body: unknown): Position =>
  typeof body === 'object' && body !== null && 'position' in body && typeof body.position === 'number' ? body.position : 0;

/** Where a log ends that was put back, and the furthest that a reactor may stand so that it does again what the log does not hold the outcome of, as far as that is known. */
export interface RestoredLog {
  readonly position: Position;
  readonly reactors?: Readonly<Record<string, Position>>;
}

/** What a restore notes of itself: some timers that were due by then do not fire. */
export interface RestoredVault extends RestoredLog {
  readonly restoredAt: Instant;
}

/**
 * What a record of a vault, which was copied after its log, is where the log ends: what follows from later events goes (null), reactors stand where they
 * stood before the log was copied, else at most at its end.
 */
export function settledRecord(
  { kind, id, body }: { readonly kind: string; readonly id: string; readonly body: Document },
  log: RestoredLog,
  kinds: RecordKinds,
): Document | null {
  if (isLeftOut(kinds, kind, 'restored')) return null;
  const place = positionIn(body);
  if (kind === CHECKPOINTS) return { position: Math.min(place, log.reactors?.[id] ?? place, log.position) };
  return place > log.position ? null : body;
}
