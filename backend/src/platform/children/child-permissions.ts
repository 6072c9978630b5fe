import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of a child process beside its own program. */
export interface ChildFiles {
  /** Files, folders as `/folder/*`. */
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** Whether it needs native code, which these permissions do not restrain. */
  readonly usesAddons?: true;
}

/** The program and its packages. The data folder may lie beside them, so the folder that holds both is not among them. */
const PROGRAM = [
  'package.json',
  'node_modules/*',
  'backend/package.json',
  'backend/node_modules/*',
  'backend/dist/*',
  'contracts/package.json',
  'contracts/dist/*',
];
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Arguments of Node that let a process read and write only these files, besides reading its program. @see https://nodejs.org/api/permissions.html */
export function permissionsOf({ reads = [], writes = [], usesAddons }: ChildFiles): readonly string[] {
  // Until Node 23.5 it had another name.
  const model = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  return [
    model,
    ...(model === '--permission' ? [] : ['--no-warnings']),
    ...[...PROGRAM.map((each) => join(ROOT, each)), ...reads].map((each) => `--allow-fs-read=${each}`),
    ...writes.map((each) => `--allow-fs-write=${each}`),
    ...(usesAddons === true ? ['--allow-addons'] : []),
  ];
}
