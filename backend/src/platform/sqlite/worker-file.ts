import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The URL of a compiled worker. Worker threads cannot run TypeScript, so specs that run from `src` load it from `dist`.
 * @param importMetaUrl the calling module's `import.meta.url`
 * @param name the worker's file next to that module, without extension
 * @throws Error if it is not built
 */
export function compiledWorker(importMetaUrl: string, name: string): URL {
  const beside = new URL(`./${name}.js`, importMetaUrl).href;
  const compiled = new URL(importMetaUrl.endsWith('.ts') ? beside.replace('/backend/src/', '/backend/dist/') : beside);
  if (!existsSync(compiled)) throw new Error(`${fileURLToPath(compiled)} is not built: run "npx tsc -b contracts backend" first`);
  return compiled;
}
