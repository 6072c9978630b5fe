import { Passwords } from '../platform/auth/passwords.js';

/** The program's hasher at the lowest cost that Argon2id allows: specs sign in hundreds of times and do not test hashing cost. */
export const cheapPasswords = (): Passwords => new Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
