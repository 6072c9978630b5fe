import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const HASHED = /-([\w-]{8})\.(?:js|css)$/;
const TEXT = /\.(?:js|css|html|json)$/;

/** A hash that a build could have given to other content. */
const otherHash = (hash: string): string => hash.split('').toReversed().join('').replaceAll('-', '_');

/**
 * A copy of the program whose page is of another build: every script and style sheet has another name, and index.html says `build 2`.
 * @returns its folder, in the folder for temporary files
 */
export async function secondBuild(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-build-'));
  const page = join(folder, 'frontend/dist');
  await mkdir(join(folder, 'backend'));
  await cp('backend/dist', join(folder, 'backend/dist'), { recursive: true });
  await cp('backend/package.json', join(folder, 'backend/package.json'));
  for (const modules of ['node_modules', 'backend/node_modules']) if (existsSync(modules)) await symlink(resolve(modules), join(folder, modules));
  await cp('frontend/dist', page, { recursive: true, filter: (path) => !path.endsWith('.map') });

  const assets = await readdir(join(page, 'assets'));
  const names = new Map<string, string>();
  for (const name of assets) {
    const hash = HASHED.exec(name)?.[1];
    if (hash !== undefined) names.set(name, name.replace(hash, otherHash(hash)));
  }
  const known = new RegExp([...names.keys()].map((name) => name.replaceAll('.', String.raw`\.`)).join('|'), 'g');
  for (const file of await readdir(page, { recursive: true })) {
    if (!TEXT.test(file)) continue;
    const text = await readFile(join(page, file), 'utf8');
    const marked = text.replace(known, (name) => names.get(name) ?? name).replace('<head>', '<head><meta name="build" content="2" />');
    await writeFile(join(page, file), file === 'service-worker.js' ? withOtherRevision(marked) : marked);
  }
  for (const [before, after] of names) await rename(join(page, 'assets', before), join(page, 'assets', after));
  return folder;
}

/** index.html has changed. */
const withOtherRevision = (worker: string): string => worker.replace(/(url:`\/index\.html`,revision:`)[0-9a-f]+/, '$1second');
