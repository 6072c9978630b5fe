import { nodeTooOld } from './node-version.js';

const tooOld = nodeTooOld(process.versions.node);
if (tooOld !== null) {
  process.stderr.write(`${tooOld}\n`);
  process.exit(1);
}
// Only the user who runs an operation may read what it creates.
process.umask(0o077);
const { runOperation } = await import('./run-operation.js');
await runOperation();
