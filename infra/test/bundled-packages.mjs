import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const caches = join(root, 'node_modules/.cache/roughmix-specs');

/** Packages of hundreds of files that most specs of the page load, which Jest reads, links and compiles for each of them. */
const BUNDLED = [
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  '@testing-library/jest-dom/jest-globals',
  '@testing-library/react',
  '@testing-library/user-event',
  // What the page takes from react-aria must be the instance that its components use.
  'react-aria/useFocusVisible',
  'react-aria-components',
  ...['Autocomplete', 'Dialog', 'DropZone', 'ListBox', 'Menu', 'Modal', 'Popover', 'Tabs', 'TextField', 'Tooltip'].map(
    (name) => `react-aria-components/${name}`,
  ),
  'react-router-dom',
];
/** Packages in one large file, which Jest would search for the names that it exports. */
const SINGLE = {
  'react-dom': 'react-dom/index.js',
  'react-dom/client': 'react-dom/client.js',
};
/** A package of thousands of components, which each suite would create. */
const ICONS = 'lucide-react';
const EXTERNAL = [/^react($|\/)/, /^react-dom($|\/)/, '@jest/globals'];

const fileOf = (name) => name.replaceAll('/', '-').replace('@', '');
const patternOf = (name) => `^${name}$`;

/** A module with the same exports, in which Jest finds nothing to search. */
const passOn = (file) => `const whole = require(${JSON.stringify(file)});\nmodule.exports = whole;\n`;

/** The names of the icons that the page imports. */
function usedIcons() {
  const folder = join(root, 'frontend/src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const imported = sources.flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/import \{([^}]*)\} from 'lucide-react'/g)]);
  const names = imported.flatMap(([, list]) => list.split(',').map((name) => name.trim().split(' as ')[0]));
  return [...new Set(names.filter((name) => name !== '' && !name.startsWith('type ')))].toSorted();
}

/** Bundles them together, so that what they share is shared: contexts of react-aria, for one. */
async function bundle(folder, icons) {
  const { build } = await import('vite');
  const entries = [...BUNDLED, ICONS].map((name) => ({ name, file: join(folder, `${fileOf(name)}.mjs`) }));
  for (const { name, file } of entries) writeFileSync(file, `export ${name === ICONS ? `{ ${icons.join(', ')} }` : '*'} from '${name}';\n`);
  await build({
    root,
    configFile: false,
    // With the warnings of development, which packages that are not bundled print too.
    mode: 'development',
    logLevel: 'error',
    build: {
      outDir: join(folder, 'bundled'),
      minify: false,
      target: 'es2022',
      lib: { entry: Object.fromEntries(entries.map(({ name, file }) => [fileOf(name), file])), formats: ['cjs'], fileName: (_format, name) => `${name}.cjs` },
      rolldownOptions: { external: EXTERNAL, output: { chunkFileNames: '[name].cjs' } },
    },
  });
}

/**
 * Jest's moduleNameMapper for packages of the page, made once for each state of package-lock.json and of this file, and each set of icons.
 * @returns {Promise<Record<string, string>>}
 */
export async function bundledPackages() {
  const icons = usedIcons();
  const sum = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(icons.join());
  const folder = join(caches, sum.digest('hex').slice(0, 16));
  const bundled = [...BUNDLED, ICONS];
  const names = [...bundled, ...Object.keys(SINGLE)];
  if (!existsSync(folder)) {
    mkdirSync(caches, { recursive: true });
    const making = mkdtempSync(join(caches, 'making-'));
    await bundle(making, icons);
    for (const name of bundled) writeFileSync(join(making, `${fileOf(name)}.cjs`), passOn(`./bundled/${fileOf(name)}.cjs`));
    for (const [name, file] of Object.entries(SINGLE))
      writeFileSync(join(making, `${fileOf(name)}.cjs`), passOn(relative(making, join(root, 'node_modules', file))));
    try {
      renameSync(making, folder);
    } catch (error) {
      // Another run was first.
      if (!existsSync(folder)) throw error;
      rmSync(making, { recursive: true });
    }
  }
  return Object.fromEntries(names.map((name) => [patternOf(name), join(folder, `${fileOf(name)}.cjs`)]));
}
