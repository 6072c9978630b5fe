import { hash, verify } from '@node-rs/argon2';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { hasWhiteSpace } from '@roughmix/contracts/shared/white-space.js';
import { commonPasswords } from './common-passwords.js';
import { FairQueue } from '../fair-queue.js';

/** The cost of an Argon2id hash: KiB of memory, passes, lanes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** The OWASP Password Storage Cheat Sheet's parameters for Argon2id (the library's default) with 19 MiB. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const QUEUE = { running: 2, waiting: 200, waitMs: 5_000 };
/** All calls form one line: the caller is unknown until the password matches. */
const ANYBODY = '';

/** A hash of the same cost that matches no password, so that refusing an unknown account takes as long as refusing a known one. */
const dummyHash = ({ memoryCost, timeCost, parallelism }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Keyboards may encode the same password in different code points. */
const normalized = (password: string): string => password.normalize('NFKC');

/** Why a new password is refused; null if it is acceptable. */
export function passwordProblem(password: string): ProblemCode | null {
  if (password.length < LIMITS.passwordMin) return 'password.too-short';
  if (password.length > LIMITS.password) return 'password.too-long';
  if (hasWhiteSpace(password)) return 'password.space';
  return commonPasswords().has(normalized(password).toLowerCase()) ? 'password.too-common' : null;
}

/** Hashes and verifies passwords, two at a time: each hash takes 19 MiB and a core. */
export class Passwords {
  private readonly queue = new FairQueue(QUEUE);
  private readonly dummy: string;

  /** @param cost tests pass a cheaper one; no variable changes it */
  constructor(private readonly cost: PasswordCost = COST) {
    this.dummy = dummyHash(cost);
  }

  /** @throws Refused `store.busy` */
  hash(password: string): Promise<string> {
    return this.queue.run(ANYBODY, () => hash(normalized(password), this.cost));
  }

  /**
   * Whether the password has this hash; pass null or '' for an account that is unknown or has no password. `guard` runs right before the hash is computed and refuses by throwing.
   * @throws Refused `store.busy`; what `guard` throws
   */
  matches(hashed: string | null, password: string, guard: () => Promise<void> = () => Promise.resolve()): Promise<boolean> {
    return this.queue.run(ANYBODY, async () => {
      await guard();
      const hasPassword = hashed !== null && hashed !== '';
      const isMatch = await verify(hasPassword ? hashed : this.dummy, normalized(password));
      return isMatch && hasPassword;
    });
  }
}
