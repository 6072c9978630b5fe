import { isLoopback } from '../http/origin.js';
import { variableNames } from './config.js';

const LOOPBACK_HOST = /^(?:localhost$|127\.|::1$|$)/;
/** Prefixes that only this program uses. */
const OURS = /^(?:ROUGHMIX|THROTTLE|TRASH)_/;
/** Names from this length on may differ in two letters to count as a typo. */
const LONG_NAME = 8;

/** Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, letter] of one.split('').entries()) {
    const line = [row + 1];
    for (const [at, its] of other.split('').entries()) {
      line.push(Math.min((line[at] ?? 0) + 1, (above[at + 1] ?? 0) + 1, (above[at] ?? 0) + (letter === its ? 0 : 1)));
    }
    above = line;
  }
  return above[other.length] ?? 0;
}

const isNear = (name: string, known: string): boolean => editDistance(name, known) <= (known.length >= LONG_NAME ? 2 : 1);

function warningOf(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null;
  if (name.endsWith('_FILE') && known.includes(name.slice(0, -'_FILE'.length))) return `${name} is unknown; only secrets can be read from files`;
  const similar = known.find((each) => isNear(name, each));
  if (similar !== undefined) return `${name} is unknown; did you mean ${similar}?`;
  return OURS.test(name) ? `${name} is unknown` : null;
}

const isSet = (environment: NodeJS.ProcessEnv, name: string): boolean => (environment[name] ?? '') !== '';

/** With a vault on a server, each process would list erasures beside its own data folder, which is not backed up. */
function erasuresFileWarning(environment: NodeJS.ProcessEnv): readonly string[] {
  if (!isSet(environment, 'MONGO_URL') && !isSet(environment, 'MONGO_URL_FILE')) return [];
  if (isSet(environment, 'ERASURES_FILE')) return [];
  return ['ERASURES_FILE is not set, so erased users are listed beside DATA_DIR; set it to a durable file that all processes share'];
}

/** Warnings about variables that look meant for this program but have no effect, and about a missing ERASURES_FILE. Values are never included. */
export function warningsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = variableNames();
  return Object.keys(environment)
    .filter((name) => environment[name] !== '')
    .flatMap((name) => warningOf(name, known) ?? [])
    .concat(erasuresFileWarning(environment))
    .toSorted();
}

/**
 * Warns if HOST accepts other machines but PUBLIC_URL leads to localhost: there the page opens, but its requests are refused. Separate from the warnings that
 * compose files are checked for: a container listens on every address and may be meant for its own machine.
 */
export function publicUrlWarning({ HOST = '', PUBLIC_URL = '' }: NodeJS.ProcessEnv): readonly string[] {
  const isLocal = PUBLIC_URL.trim() === '' || (URL.canParse(PUBLIC_URL) && isLoopback(new URL(PUBLIC_URL)));
  if (LOOPBACK_HOST.test(HOST.trim()) || !isLocal) return [];
  return [
    'HOST lets other machines connect, but PUBLIC_URL leads to localhost, and pages opened at any other address are refused; set PUBLIC_URL to the address that browsers open',
  ];
}
