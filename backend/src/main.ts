import { pino } from 'pino';
import { runProgram } from './run.js';

const log = pino({ level: process.env.LOG_LEVEL ?? 'info' });

runProgram(process.argv.slice(2), process.env).catch((error: unknown) => {
  log.fatal({ err: error }, 'Roughmix could not start');
  // What was opened before it failed would keep the process alive; nothing was acknowledged yet.
  process.exit(1);
});
