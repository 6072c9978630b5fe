import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import type { Vault } from '../platform/vault/vault.js';
import { REUSED_THREADS } from './reused-threads.js';

export interface TemporaryVault {
  readonly folder: string;
  readonly vault: Vault;
  /** Closes the vault and removes its folder. */
  remove(): Promise<void>;
}

/** An embedded vault in a temporary folder. */
export async function temporaryVault(): Promise<TemporaryVault> {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-'));
  const vault = await EmbeddedVault.open({ file: join(folder, 'vault.db'), threads: REUSED_THREADS });
  const remove = async (): Promise<void> => {
    await vault.close();
    await rm(folder, { recursive: true });
  };
  return { folder, vault, remove };
}

/** The same store with one method replaced. */
export function withOverride<Store extends object, Name extends keyof Store>(
  store: Store,
  method: Name,
  does: Store[Name] extends (...args: infer Arguments) => unknown ? (...args: Arguments) => unknown : never,
): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === method) return does;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
