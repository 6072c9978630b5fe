import { runProgram } from './run-program.js';

// Only the program's own user may read what it creates.
process.umask(0o077);
await runProgram(process.argv.slice(2), process.env);
