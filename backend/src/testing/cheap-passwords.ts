import { Passwords } from '../platform/auth/passwords.js';

/** The program's hasher at the smallest cost that Argon2id knows: specs sign people in by the hundred, and what a hash costs is none of their promises. */
export const cheapPasswords = (): Passwords => new Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
