import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const repository = fileURLToPath(new URL('..', import.meta.url));

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Licences that require nothing but attribution from distributors. */
const PERMISSIVE =
  /^\(?(?:MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|Python-2\.0|OFL-1\.1)(?: AND (?:MIT|Apache-2\.0|BSD-3-Clause))*\)?$/;

/** Shipped packages under other licences; sharp's platform packages are grouped. */
async function othersThatShip(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { packages } = JSON.parse(await readFile(`${repository}package-lock.json`, 'utf8')) as { packages: Readonly<Record<string, Locked>> };
  const found: Record<string, string[]> = {};
  for (const [path, { license = 'none in the lock file', dev, link }] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || dev === true || link === true || PERMISSIVE.test(license)) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length).replace(/^@img\/sharp-.*/, '@img/sharp-*');
    found[license] = [...new Set([...(found[license] ?? []), name])];
  }
  return found;
}

test('shipped packages have permissive licences, except those that docs/operating.md names', async () => {
  const others = await othersThatShip();
  expect(others).toEqual({
    'GPL-2.0': ['@audio/decode-aac'],
    'LGPL-2.1': ['soundtouchjs'],
    'GPL-2.0-or-later': ['@audio/decode-ac3', '@audio/decode-dts'],
    'LGPL-2.1-or-later': ['@audio/decode-eac3', '@audio/decode-wma'],
    'LGPL-3.0-or-later': ['@img/sharp-*', 'codec-parser'],
    'Apache-2.0 AND LGPL-3.0-or-later': ['@img/sharp-*'],
    'Apache-2.0 AND LGPL-3.0-or-later AND MIT': ['@img/sharp-*'],
    'MPL-2.0': ['web-push'],
    // MIT according to its package.json, in an obsolete field.
    'none in the lock file': ['xmlhttprequest-ssl'],
  });
  const page = await readFile(`${repository}docs/operating.md`, 'utf8');
  const copyleft = [...(others['GPL-2.0'] ?? []), ...(others['GPL-2.0-or-later'] ?? [])];
  expect(copyleft.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
