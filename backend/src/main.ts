import { nodeTooOld } from './node-version.js';

const tooOld = nodeTooOld(process.versions.node);
if (tooOld !== null) {
  process.stderr.write(`${tooOld}\n`);
  process.exit(1);
}
// Only the program's own user may read what it creates.
process.umask(0o077);
const { runProgram } = await import('./run-program.js');
await runProgram(process.argv.slice(2), process.env);
