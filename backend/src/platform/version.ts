import { createRequire } from 'node:module';

const facts: unknown = createRequire(import.meta.url)('../../package.json');

/** The program's version, from package.json. */
export const VERSION: string = typeof facts === 'object' && facts !== null && 'version' in facts ? String(facts.version) : 'unknown';
