import { expect, test } from '@jest/globals';
import { envExample } from '../backend/src/platform/config/config.js';
import { textOf } from './test/deployment-files.js';

/** A row for each variable, from `.env.example`. */
const rows = [...envExample().matchAll(/^# (.*)\n# ([A-Z0-9_]+)=(.*)$/gm)].map(
  ([, about = '', name = '', fallback = '']) => `| \`${name}\` | ${about} | ${fallback} |`,
);

test('docs/operating.md lists every variable with its meaning and default', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(
    textOf('docs/operating.md')
      .split('\n')
      .filter((line) => /^\| `[A-Z0-9_]+` \|/.test(line)),
  ).toEqual(rows);
});

test.each(['README.md', 'docs/real-servers.md'])('%s names only variables that exist', (page) => {
  const known = [...envExample().matchAll(/\b([A-Z][A-Z0-9_]{3,})\b/g)].map(([, name = '']) => name);
  const named = [...textOf(page).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
  const ofCompose = [
    ...textOf('docker-compose.yml').matchAll(/\$\{([A-Z_]+)|^ {6}([A-Z][A-Z0-9_]+):/gm),
    ...['tls', 'embedded'].flatMap((name) => [...textOf(`infra/compose/${name}.yml`).matchAll(/\$\{([A-Z_]+)/g)]),
  ].flatMap(([, one, other]) => one ?? other ?? []);
  expect(named.filter((name) => ![...known, ...ofCompose].includes(name))).toEqual([]);
});
