import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Which program this is. */
export interface Build {
  /** From package.json. */
  readonly version: string;
  /** The commit that was built, abbreviated; null if the build had neither a checkout nor COMMIT. */
  readonly commit: string | null;
}

/** backend/write-commit.mjs writes it. */
const COMMIT_FILE = new URL('../commit.txt', import.meta.url);

const facts: unknown = createRequire(import.meta.url)('../../package.json');

/** The program's version, from package.json. */
export const VERSION: string = typeof facts === 'object' && facts !== null && 'version' in facts ? String(facts.version) : 'unknown';

export const BUILD: Build = { version: VERSION, commit: existsSync(COMMIT_FILE) ? readFileSync(COMMIT_FILE, 'utf8').trim() : null };

/** For people: '0.2.0 (1a2b3c4)'. */
export const buildName = ({ version, commit }: Build = BUILD): string => (commit === null ? version : `${version} (${commit})`);
