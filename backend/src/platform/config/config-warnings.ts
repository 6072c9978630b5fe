import { variableNames } from './config.js';

/** What the design names and nobody reads yet: who sets one of these believes in something that does not happen. */
const NOT_YET: readonly string[] = ['SUPPORT_EMAIL', 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'PASSWORD_RESET_DISCREET'];
/** What begins like this can be meant for nobody else. */
const OURS = /^(?:ROUGHMIX|THROTTLE|TRASH)_/;
const LONG_NAME = 8;

/** How many letters have to be put in, taken out or changed to make one word of another (Levenshtein). */
function lettersBetween(one: string, other: string): number {
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

const isNear = (name: string, known: string): boolean => lettersBetween(name, known) <= (known.length >= LONG_NAME ? 2 : 1);

function warningOf(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null;
  if (NOT_YET.includes(name)) return `${name}: nothing reads it yet`;
  if (name.endsWith('_FILE') && known.includes(name.slice(0, -'_FILE'.length))) return `${name}: nothing reads it, only secrets may lie in files`;
  const meant = known.find((each) => isNear(name, each));
  if (meant !== undefined) return `${name}: nothing reads it; was ${meant} meant?`;
  return OURS.test(name) ? `${name}: nothing reads it` : null;
}

const isSet = (environment: NodeJS.ProcessEnv, name: string): boolean => (environment[name] ?? '') !== '';

/** Where the vault is on a server each process would note erasures beside its own data folder, which nobody keeps. */
function warningOfLists(environment: NodeJS.ProcessEnv): readonly string[] {
  if (!isSet(environment, 'MONGO_URL') && !isSet(environment, 'MONGO_URL_FILE')) return [];
  if (isSet(environment, 'ERASURES_FILE')) return [];
  return ['ERASURES_FILE: not set, so who is erased is noted beside DATA_DIR; name one file that all processes share and that is kept'];
}

/** Variables that seem to be meant for this program and have no effect: misspelt, or not built yet; and one that is missing beside others. Their values are not told. */
export function warningsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = variableNames();
  return Object.keys(environment)
    .filter((name) => environment[name] !== '')
    .flatMap((name) => warningOf(name, known) ?? [])
    .concat(warningOfLists(environment))
    .toSorted();
}
