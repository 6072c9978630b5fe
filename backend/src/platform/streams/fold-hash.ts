import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Every decider, and the manifests, which name the upcasters. */
const ENTRY = /\.(?:decider|slice)\.(?:js|ts)$/;
const STATIC_IMPORT = /(?:\bfrom|^import)\s*['"](?<specifier>[^'"]+)['"]/gm;
/** Workspaces whose code counts; what npm installs does not fold. */
const OURS = '@roughmix/';

let hash: string | undefined;

/**
 * Identifies the code by which this program folds streams: a hash of every decider and upcaster with all of our modules that they import. Computed once per
 * process from the program's own files. Too many files may count, which costs a fold after an update, but none is missed.
 */
export function foldHash(): string {
  hash ??= hashOfModules(new URL('../../', import.meta.url));
  return hash;
}

/** The hash of the entry modules in a folder (its URL, with a slash at the end) and of everything that they import. */
export function hashOfModules(folder: URL): string {
  const root = fileURLToPath(folder);
  const entries = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => ENTRY.test(name));
  const sum = createHash('sha256');
  // A set can grow while it is iterated.
  const seen = new Set(entries.toSorted().map((name) => new URL(name, folder).href));
  for (const module of seen) {
    const text = readFileSync(new URL(module), 'utf8');
    sum.update(text);
    for (const { groups } of text.matchAll(STATIC_IMPORT)) {
      const imported = resolved(groups?.['specifier'] ?? '', module);
      if (imported !== null) seen.add(imported);
    }
  }
  return sum.digest('hex').slice(0, 16);
}

/** The file of an imported module; null for packages and for Node's own modules. */
function resolved(specifier: string, importer: string): string | null {
  if (specifier.startsWith(OURS)) return pathToFileURL(createRequire(importer).resolve(specifier)).href;
  if (!specifier.startsWith('.')) return null;
  const beside = new URL(specifier, importer);
  // Specs run from the sources, where imports already name the compiled files.
  return existsSync(beside) ? beside.href : beside.href.replace(/\.js$/, '.ts');
}
