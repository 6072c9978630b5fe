import { randomUUID } from 'node:crypto';
import type { Rewound } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Reactor } from '../../kernel/reactor.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import type { StoredProgress } from './reactor-progress.js';

/**
 * The position, which process may move it (none before it is first taken and after a restore), and the later events that are finished already: none for
 * reactors that take one event at a time.
 */
type Taken = { readonly position: Position; readonly by?: string; readonly finished?: readonly Position[] };

/** The vault collection of the reactors' checkpoints; backup, restore and status read it too. */
export const REACTOR_CHECKPOINTS = 'reactor-checkpoints';

/** Another process has taken the checkpoint: the previous owner must stop. */
export class CheckpointLost extends Error {
  override readonly name = 'CheckpointLost';
}

/** The stored position, 0 before the first start. */
export async function checkpointOf(vault: Vault, name: string): Promise<Position> {
  await vault.declare({ name: REACTOR_CHECKPOINTS });
  return (await vault.get<Taken>(REACTOR_CHECKPOINTS, name))?.body.position ?? 0;
}

/**
 * Stores where a reactor starts, unless it has a checkpoint already. Every process does this before it serves anything: events that it appends are then
 * never skipped, whichever process runs the reactor first.
 */
export async function noteFirstCheckpoint(
  { name, startsAt }: Pick<Reactor, 'name' | 'startsAt'>,
  { vault, store }: { readonly vault: Vault; readonly store: Pick<EventStore, 'head'> },
): Promise<void> {
  await vault.declare({ name: REACTOR_CHECKPOINTS });
  if ((await vault.get<Taken>(REACTOR_CHECKPOINTS, name)) !== null) return;
  await vault.insert(REACTOR_CHECKPOINTS, name, { position: startsAt === 'end' ? await store.head() : 0 } satisfies Taken);
}

/** Sets a checkpoint back, never forward: the events after it are then delivered again. @throws CheckpointLost */
export async function rewindTo(checkpoint: TakenCheckpoint, position: Position): Promise<Rewound> {
  const from = await checkpoint.position();
  const to = Math.min(from, position);
  await checkpoint.move(to);
  return { from, to };
}

/** A reactor's checkpoint, owned by one process at a time: taking it takes it from the previous owner. */
export class TakenCheckpoint {
  readonly #me = randomUUID();
  /** The record as last read, until it is written; one that another process wrote since cannot be replaced. */
  #read: VaultRecord<Taken> | null = null;

  private constructor(
    private readonly vault: Vault,
    private readonly name: string,
  ) {}

  /** Takes ownership of the stored progress, or at `first` when there is none. */
  static async take(vault: Vault, name: string, first: Position = 0): Promise<TakenCheckpoint> {
    await vault.declare({ name: REACTOR_CHECKPOINTS });
    const taken = new TakenCheckpoint(vault, name);
    for (;;) {
      const record = await vault.get<Taken>(REACTOR_CHECKPOINTS, name);
      if (record === null && (await vault.insert(REACTOR_CHECKPOINTS, name, { position: first, by: taken.#me }))) return taken;
      if (record !== null && (await taken.#write(record, progressIn(record)))) return taken;
    }
  }

  /** The stored position. @throws CheckpointLost */
  async position(): Promise<Position> {
    return (await this.progress()).position;
  }

  /** @throws CheckpointLost */
  async progress(): Promise<StoredProgress> {
    return progressIn((this.#read = await this.#mine()));
  }

  /** @throws CheckpointLost when another process owns it; nothing was written */
  async move(to: Position | StoredProgress): Promise<void> {
    const progress = typeof to === 'number' ? { position: to, finished: [] } : to;
    // A write whose outcome is unknown (the vault was unavailable) may have happened: then the record differs and is still our own.
    for (let record = this.#read ?? (await this.#mine()); !(await this.#write(record, progress)); record = await this.#mine());
  }

  async #mine(): Promise<VaultRecord<Taken>> {
    const record = await this.vault.get<Taken>(REACTOR_CHECKPOINTS, this.name);
    if (record?.body.by !== this.#me) throw new CheckpointLost(`another process has the checkpoint of ${this.name}`);
    return record;
  }

  #write({ version }: VaultRecord<Taken>, { position, finished }: StoredProgress): Promise<boolean> {
    this.#read = null;
    const body: Taken = { position, by: this.#me, ...(finished.length === 0 ? {} : { finished }) };
    return this.vault.replace(REACTOR_CHECKPOINTS, this.name, version, body);
  }
}

const progressIn = ({ body: { position, finished = [] } }: VaultRecord<Taken>): StoredProgress => ({ position, finished });
