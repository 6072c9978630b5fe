import { hash, verify } from '@node-rs/argon2';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { COMMON_PASSWORDS } from './common-passwords.js';
import { ConcurrencyLimiter } from '../concurrency-limiter.js';

/** What one Argon2id hash takes: KiB of memory, passes, lanes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** Argon2id (the library's own choice) with 19 MiB, two passes, one lane: the OWASP Password Storage Cheat Sheet's first choice of that memory. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const DEADLINE_MS = 5_000;
const LONGEST_QUEUE = 200;

/** A hash of the same cost that no password has: an unknown account takes as long to refuse as a known one. */
const hashOfNobody = ({ memoryCost, timeCost, parallelism }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Typed on another keyboard the same password may come in other code points. */
const normal = (password: string): string => password.normalize('NFKC');

/** Why a new password is refused; null when it fits. */
export function passwordProblem(password: string): ProblemCode | null {
  if (password.length < LIMITS.passwordMin) return 'password.too-short';
  if (password.length > LIMITS.password) return 'password.too-long';
  if (/\s/.test(password)) return 'password.space';
  return COMMON_PASSWORDS.has(normal(password).toLowerCase()) ? 'password.too-common' : null;
}

/** Hashes and compares passwords, two at a time: each takes 19 MiB and a core. */
export class Passwords {
  private readonly limiter = new ConcurrencyLimiter(AT_ONCE, DEADLINE_MS, LONGEST_QUEUE);
  private readonly nobody: string;

  /** @param cost the program's own, unless whoever composes it says another: no variable does */
  constructor(private readonly cost: PasswordCost = COST) {
    this.nobody = hashOfNobody(cost);
  }

  /** @throws Refused `store.busy` */
  hash(password: string): Promise<string> {
    return this.limiter.run(() => hash(normal(password), this.cost));
  }

  /**
   * Whether the password has this hash; null stands for an account that is not there. `guard` runs in its turn right before: what it throws refuses.
   * @throws Refused `store.busy`
   */
  matches(hashed: string | null, password: string, guard: () => Promise<void> = () => Promise.resolve()): Promise<boolean> {
    return this.limiter.run(async () => {
      await guard();
      const fits = await verify(hashed ?? this.nobody, normal(password));
      return fits && hashed !== null;
    });
  }
}
