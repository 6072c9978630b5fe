import { randomUUID } from 'node:crypto';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Vault, VaultRecord } from '../vault/vault.js';

/** How far it has come, and who moves it. */
type Taken = { readonly position: Position; readonly by?: string };

/** Where reactors keep their checkpoints: backup, restore and status know it. */
export const REACTOR_CHECKPOINTS = 'reactor-checkpoints';

/** Somebody else has taken the checkpoint: whoever had it stops. */
export class CheckpointLost extends Error {
  override readonly name = 'CheckpointLost';
}

/** How far it has come as it is written down, 0 before the first start. */
export async function checkpointOf(vault: Vault, name: string): Promise<Position> {
  await vault.declare({ name: REACTOR_CHECKPOINTS });
  return (await vault.get<Taken>(REACTOR_CHECKPOINTS, name))?.body.position ?? 0;
}

/** A checkpoint among those of the reactors that one process holds at a time: who takes it takes it away from whoever had it. */
export class TakenCheckpoint {
  readonly #me = randomUUID();
  /** As it was read last, until it is written; one that somebody wrote since cannot be replaced. */
  #read: VaultRecord<Taken> | null = null;

  private constructor(
    private readonly vault: Vault,
    private readonly name: string,
  ) {}

  /** Takes it as it is; the first who ever does begins at `first`. */
  static async take(vault: Vault, name: string, first: Position = 0): Promise<TakenCheckpoint> {
    await vault.declare({ name: REACTOR_CHECKPOINTS });
    const taken = new TakenCheckpoint(vault, name);
    for (;;) {
      const record = await vault.get<Taken>(REACTOR_CHECKPOINTS, name);
      if (record === null && (await vault.insert(REACTOR_CHECKPOINTS, name, { position: first, by: taken.#me }))) return taken;
      if (record !== null && (await taken.#write(record, record.body.position))) return taken;
    }
  }

  /** What was written down last. @throws CheckpointLost */
  async position(): Promise<Position> {
    return (this.#read = await this.#mine()).body.position;
  }

  /** @throws CheckpointLost when somebody else has it by now; then nothing was written */
  async move(position: Position): Promise<void> {
    // One whose outcome nobody knows (the vault was away) may have been written: then it is the own one that differs.
    for (let record = this.#read ?? (await this.#mine()); !(await this.#write(record, position)); record = await this.#mine());
  }

  async #mine(): Promise<VaultRecord<Taken>> {
    const record = await this.vault.get<Taken>(REACTOR_CHECKPOINTS, this.name);
    if (record?.body.by !== this.#me) throw new CheckpointLost(`another process has the checkpoint of ${this.name}`);
    return record;
  }

  #write({ version }: VaultRecord<Taken>, position: Position): Promise<boolean> {
    this.#read = null;
    return this.vault.replace(REACTOR_CHECKPOINTS, this.name, version, { position, by: this.#me } satisfies Taken);
  }
}
