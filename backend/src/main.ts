import { runProgram } from './run-program.js';

// Whatever it creates, only its own user may read.
process.umask(0o077);
await runProgram(process.argv.slice(2), process.env);
