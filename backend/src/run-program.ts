import { isExpectedError } from './expected-errors.js';
import { type Config, ConfigError, readConfig } from './platform/config/config.js';
import { publicUrlWarning, warningsOf } from './platform/config/config-warnings.js';
import { unreadEnvFile } from './platform/config/env-file.js';
import type { DrainTimes } from './platform/http/drain.js';
import { exitOnUncaughtErrors, fail, shutDownOnSignals } from './platform/shutdown.js';
import { programArguments } from './program-arguments.js';
import { openLog } from './program-log.js';
import { startFailure } from './start-failure.js';

/** After a signal: one second for load balancers to notice, six for open requests, the rest of the ten for reactors and stores. */
const DRAIN: DrainTimes = { notice: 1_000, answers: 6_000 };
const LIMIT_MS = 9_800;

/** The configuration, or every mistake in it. */
function configIn(environment: NodeJS.ProcessEnv): Config | ConfigError {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

const exitWith = (code: number, text: string): void => {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exitCode = code;
};

/**
 * Runs until SIGTERM or SIGINT, then finishes open requests and exits within ten seconds. Unknown arguments and an invalid environment are reported before
 * anything is opened, with exit code 2. An expected failure to start is one sentence on stderr, with exit code 1; any other error is logged with its stack.
 */
export async function runProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { demo, exit } = programArguments(args);
  if (exit !== null) return exitWith(exit.code, exit.text);
  const config = configIn(environment);
  if (config instanceof ConfigError) return exitWith(2, config.message);
  const log = await openLog(config);
  exitOnUncaughtErrors(log);
  const warnings = [...warningsOf(environment), ...publicUrlWarning(environment), ...unreadEnvFile(environment, process.cwd())];
  for (const warning of warnings) log.warn(warning);
  try {
    // Loaded last, because it takes a second: what is wrong with arguments and environment is reported at once.
    const { start } = await import('./run.js');
    const program = await start(config, log, { demo });
    shutDownOnSignals(() => program.stop(DRAIN), { log, limitMs: LIMIT_MS });
  } catch (error) {
    // Exit at once: whatever was opened would keep the process alive, and nothing was acknowledged yet.
    if (!isExpectedError(error)) fail(log, startFailure(error, config), error);
    process.stderr.write(`${startFailure(error, config)}\n`, () => process.exit(1));
  }
}
