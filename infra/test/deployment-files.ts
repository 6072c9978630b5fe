import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { ConfigError, readConfig, variableNames } from '../../backend/src/platform/config/config.js';
import { warningsOf } from '../../backend/src/platform/config/config-warnings.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

/** The absolute path of a file of the repository. */
export const absolutePath = (path: string): string => ROOT + path;

/** The text of a file of the repository. */
export const textOf = (path: string): string => readFileSync(absolutePath(path), 'utf8');

/** The documents of a YAML file, with `<<` merged. @throws Error for invalid YAML */
export function yamlOf(path: string): readonly unknown[] {
  const documents = parseAllDocuments(textOf(path), { merge: true, logLevel: 'error' });
  return Array.from(documents, (document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as unknown;
  });
}

const INNERMOST = /\$\{(\w+)(?::([-?])([^${}]*))?\}/;

/** Substitutes `${NAME:-default}` like compose. @throws Error if a required variable is missing */
export function substituteVariables(text: string, given: Environment = {}): string {
  const found = INNERMOST.exec(text);
  if (found === null) return text.replaceAll('$$', '$');
  const [whole, name = '', kind, other = ''] = found;
  if (kind === '?' && given[name] === undefined) throw new Error(`${name}: ${other}`);
  return substituteVariables(text.replace(whole, given[name] ?? (kind === '-' ? other : '')), given);
}

/** The variables that the image sets. */
export function imageEnvironment(): Environment {
  const line = /^ENV (.*)$/m.exec(textOf('infra/Dockerfile'))?.[1] ?? '';
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=', 2) as [string, string]));
}

/** The health paths that both the API and processes without an API serve. */
export function healthPaths(): readonly string[] {
  const controller = textOf('backend/src/platform/health/health.controller.ts');
  const server = textOf('backend/src/platform/metrics/metrics-server.ts');
  const [, folder = ''] = /@Controller\('(\w+)'\)/.exec(controller) ?? [];
  const paths = [...controller.matchAll(/@Get\('(\w+)'\)/g)].map(([, name = '']) => `/${folder}/${name}`);
  return paths.filter((path) => server.includes(`'${path}'`));
}

const OURS = /^[A-Z][A-Z0-9_]*$/;

/** Problems of an environment: invalid values, warnings, unknown variables. */
export function environmentProblems(environment: Environment): readonly string[] {
  const known = [...variableNames(), 'NODE_ENV'];
  const unknown = Object.keys(environment).filter((name) => OURS.test(name) && !known.includes(name));
  return [...unknown.map((name) => `${name}: unknown variable`), ...warningsOf(environment), ...problemsOf(environment)];
}

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const isSecret = (name: string): boolean => variableNames().includes(`${name}_FILE`) || /(?:KEY|SECRET|PASSWORD|TOKEN)$/.test(name);

/** Variables that contain a secret in plain text; URLs without a password do not count. */
export const secretsIn = (environment: Environment): readonly string[] =>
  Object.keys(environment).filter((name) => isSecret(name) && !/^[a-z+]+:\/\/[^@\s]+$/.test(environment[name] ?? ''));
