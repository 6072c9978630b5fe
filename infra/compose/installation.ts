import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { absolutePath, type Environment, imageEnvironment } from '../test/deployment-files.js';
import { composeOf, isJob, isOurs, mountOf, type Service } from './compose-files.js';

/** The compose file of an installation on real servers. */
export const REAL = 'docker-compose.yml';

export const { services, networks = {} } = composeOf(REAL);
export const entries = Object.entries(services);
/** The services that run Roughmix all the time. */
export const ours = entries.filter(([, service]) => isOurs(service) && !isJob(service));
export const serviceOf = (name: string): Service => services[name] ?? {};

/** The folders of keys, one for each kind of reader. */
const FOLDERS = ['roughmix', 'worker', 'bucket', 'backup', 'mongo', 's3', 'mail', 'grafana'];

/** Creates the keys that are missing in a folder, as the service `keys` does. */
export const completeKeys = (keys: string): Buffer => execFileSync(process.execPath, [absolutePath('infra/compose/keys.mjs'), keys]);

/** Creates keys in a temporary folder. @returns the folder */
export function makeKeys(): string {
  const keys = mkdtempSync(join(tmpdir(), 'roughmix-keys-'));
  for (const folder of FOLDERS) mkdirSync(join(keys, folder));
  completeKeys(keys);
  return keys;
}

/** The environment of one of our services in its container, with the paths of the keys in a folder. */
export function environmentOf(service: Service, keys: string): Environment {
  const given = { ...imageEnvironment(), ...service.environment };
  const folder =
    (service.volumes ?? [])
      .map(mountOf)
      .find(({ target }) => target === '/run/keys')
      ?.source.replace(/-keys$/, '') ?? '';
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.replace('/run/keys', join(keys, folder))]));
}
