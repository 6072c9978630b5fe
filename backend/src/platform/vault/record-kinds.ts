import type { Instant, Position } from '@roughmix/contracts/shared/ids.js';
import type { Document } from '../documents/documents.js';
import { EMAILS, settledEmail } from '../mail/email-records.js';
import { PUSHES } from '../push/push-records.js';

/** The checkpoints of reactors and publishers. */
export const CHECKPOINTS = 'reactor-checkpoints';

/** Whether a kind of record is kept when the log is restored from a copy, and when the installation moves to other servers. */
export interface RecordKind {
  readonly restored: 'kept' | 'left out';
  readonly moved: 'kept' | 'left out';
}

/** For records that cannot be recreated. */
export const KEPT: RecordKind = { restored: 'kept', moved: 'kept' };
/** A session or link in a copy may have ended since the copy was made; a move has no such gap. */
const SESSION_STATE: RecordKind = { restored: 'left out', moved: 'kept' };
/** Only meaningful to the processes of this installation, and recreated by them. */
const PROCESS_STATE: RecordKind = { restored: 'left out', moved: 'left out' };
/** The history of this installation. */
const INSTALLATION_HISTORY: RecordKind = { restored: 'kept', moved: 'left out' };

/** Record kinds by collection name. */
export type RecordKinds = Readonly<Record<string, RecordKind>>;

/**
 * The record kinds the platform owns; slices declare theirs in their manifests. Kept records are adapted to the log: see `settledRecord`, and the
 * positions assigned by a move.
 */
export const RECORD_KINDS: RecordKinds = {
  'vault-keys': KEPT,
  'data-keys': KEPT,
  erased: KEPT,
  [CHECKPOINTS]: KEPT,
  'parked-reactions': KEPT,
  // Whether a timer due before a restore fires is up to its handler; `restores` holds the time of the restore.
  timers: KEPT,
  restores: KEPT,
  // Kept so that no key is sent again; what waited when the copy was made is given up.
  [EMAILS]: KEPT,
  sessions: SESSION_STATE,
  'link-tokens': SESSION_STATE,
  // Restored sessions are left out, and push subscriptions with them.
  [PUSHES]: SESSION_STATE,
  throttle: PROCESS_STATE,
  // Uploads in progress to addresses of this installation.
  uploads: PROCESS_STATE,
  'upload-slots': PROCESS_STATE,
  leases: PROCESS_STATE,
  orders: PROCESS_STATE,
  presence: PROCESS_STATE,
  readiness: PROCESS_STATE,
  // The epoch of caches of decrypted texts; read models, which hold such texts, are rebuilt.
  'key-epoch': PROCESS_STATE,
  // The identity of the vault's log, which both a restore and a move change.
  'log-of-vault': PROCESS_STATE,
  // A copy of the log has the events of these types, and is as unreadable to an older program.
  'written-types': KEPT,
  moves: INSTALLATION_HISTORY,
  settlings: INSTALLATION_HISTORY,
  // A copy from the middle of a rotation of the master key needs both keys until the rotation is finished.
  'key-rotations': KEPT,
};

/** Whether records of a kind are left out. Kinds unknown to this version are kept, because they may be valuable. */
export const isLeftOut = (kinds: RecordKinds, kind: string, where: keyof RecordKind): boolean => kinds[kind]?.[where] === 'left out';

/** The position of the event that caused a record, 0 if it has none. */
export const positionIn = (body: unknown): Position =>
  typeof body === 'object' && body !== null && 'position' in body && typeof body.position === 'number' ? body.position : 0;

/** The end of a restored log, and each reactor's known checkpoint from before the copy, so that it repeats reactions whose outcome is not in the log. */
export interface RestoredLog {
  readonly position: Position;
  readonly reactors?: Readonly<Record<string, Position>>;
}

/** A restored log and the time of the restore, which decides which overdue timers still fire. */
export interface RestoredVault extends RestoredLog {
  readonly restoredAt: Instant;
}

/**
 * Adapts a record of a vault that was copied after its log: records caused by later events are dropped (null), and reactors return to their checkpoint from
 * before the copy, or at most to the end of the log; e-mails that waited are not sent again.
 */
export function settledRecord(
  { kind, id, body }: { readonly kind: string; readonly id: string; readonly body: Document },
  log: RestoredVault,
  kinds: RecordKinds,
): Document | null {
  if (isLeftOut(kinds, kind, 'restored')) return null;
  const position = positionIn(body);
  if (kind === CHECKPOINTS) return { position: Math.min(position, log.reactors?.[id] ?? position, log.position) };
  if (position > log.position) return null;
  return kind === EMAILS ? settledEmail(body, log.restoredAt) : body;
}
