import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const repository = fileURLToPath(new URL('..', import.meta.url));

interface Component {
  readonly purl: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/** Development dependencies are listed too, and marked. */
const isForDevelopment = ({ properties }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/** The exact versions that a workspace ships, as package URLs. */
async function shippedBy(workspace: string): Promise<readonly string[]> {
  const { dependencies } = JSON.parse(await readFile(`${repository}${workspace}/package.json`, 'utf8')) as { dependencies: Readonly<Record<string, string>> };
  return Object.entries(dependencies).map(([name, version]) => `pkg:npm/${name.replace('@', '%40')}@${version}`);
}

test('npm run sbom lists shipped and development packages from the lock file alone, as CycloneDX', async () => {
  const environment = { ...process.env, npm_config_offline: 'true', npm_config_registry: 'http://127.0.0.1:9' };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { cwd: repository, env: environment, maxBuffer: 64 * 1024 * 1024 });
  const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: readonly Component[] };
  const [development, shipped] = [true, false].map((is) => new Set(components.filter((each) => isForDevelopment(each) === is).map(({ purl }) => purl)));
  expect(bomFormat).toBe('CycloneDX');
  const expected = (await Promise.all(['backend', 'contracts', 'frontend'].map(shippedBy))).flat();
  expect(expected.filter((purl) => shipped?.has(purl) !== true)).toEqual([]);
  expect([...(development ?? [])].filter((purl) => /^pkg:npm\/(?:jest|oxlint|playwright-core)@/.test(purl))).toHaveLength(3);
});
