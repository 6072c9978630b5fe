import { ServiceUnavailable } from '../platform/store-errors.js';
import type { Vault } from '../platform/vault/vault.js';

/** The methods of a vault that write. */
export const VAULT_WRITES: readonly (keyof Vault)[] = ['insert', 'replace', 'put', 'remove', 'removeWhere', 'scrub'];

/** Makes every write fail after the given number of writes, before or after the write takes effect. */
export class WriteFailure {
  private left = Infinity;
  private takesEffect = false;
  writes = 0;

  failAfter(writes: number, takesEffect: boolean): void {
    this.left = writes;
    this.takesEffect = takesEffect;
  }

  guard<Store extends object>(store: Store, writing: readonly (keyof Store)[]): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        const call = (...args: unknown[]): unknown => member.apply(target, args) as unknown;
        return writing.includes(name as keyof Store) ? (...args: unknown[]) => this.write(() => call(...args)) : call;
      },
    });
  }

  private async write(call: () => unknown): Promise<unknown> {
    this.writes += 1;
    this.left -= 1;
    if (this.left === -1 && this.takesEffect) await call();
    if (this.left < 0) throw new ServiceUnavailable('write failed');
    return call();
  }
}
