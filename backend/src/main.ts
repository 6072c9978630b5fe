import { runProgram } from './run.js';

await runProgram(process.argv.slice(2), process.env);
