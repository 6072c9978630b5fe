import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { variableNames } from './config.js';

/** Warns of a `.env` in the working directory whose variables are not set. The program does not read it, although a copy of `.env.example` suggests that it does. */
export function unreadEnvFile(environment: NodeJS.ProcessEnv, folder: string): readonly string[] {
  const file = join(folder, '.env');
  if (!existsSync(file)) return [];
  const known = variableNames();
  const unset = Object.entries(parseEnv(readFileSync(file, 'utf8')))
    .filter(([name, value]) => known.includes(name) && value !== '' && environment[name] === undefined)
    .map(([name]) => name);
  if (unset.length === 0) return [];
  return [`.env is not read by itself, so ${unset.join(', ')} in it had no effect; start with node --env-file=.env backend/dist/main.js`];
}
