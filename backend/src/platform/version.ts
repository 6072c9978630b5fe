import { createRequire } from 'node:module';

const facts: unknown = createRequire(import.meta.url)('../../package.json');

/** The version of this program, as its package says it. */
export const VERSION: string = typeof facts === 'object' && facts !== null && 'version' in facts ? String(facts.version) : 'unknown';
