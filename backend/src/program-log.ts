import { pino, type Logger } from 'pino';
import type { Config } from './platform/config/config.js';

const SECRETS = { paths: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.token'], censor: '[secret]' };

/** The program's log on stdout: JSON lines, or readable ones, which are the default on a terminal. */
export async function openLog({ LOG_LEVEL, LOG_FORMAT }: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>): Promise<Logger> {
  const options = { level: LOG_LEVEL, redact: SECRETS };
  const isPretty = LOG_FORMAT === 'pretty' || (LOG_FORMAT === 'auto' && process.stdout.isTTY);
  if (!isPretty) return pino(options);
  const { default: pretty } = await import('pino-pretty');
  // Synchronous, or a fatal line would be lost when the process exits.
  return pino(options, pretty({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' }));
}
