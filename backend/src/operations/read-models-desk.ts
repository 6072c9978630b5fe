import { join } from 'node:path';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded-event-store.js';
import { existingLog } from './log-of.js';
import { type Asked, OperationError } from './operation.js';
import { askRunningServer } from './running-server.js';

/** Where a file of the data folder lies. @throws OperationError when there is no log in that folder */
export function dataFile({ config }: Pick<Asked, 'config'>, name: string): string {
  existingLog(config);
  return join(config.DATA_DIR, name);
}

/** Runs with the log open, while no program has it; answers with what `work` makes of the log's end. */
export async function withLog<Answer>(asked: Pick<Asked, 'config'>, work: (head: Position) => Promise<Answer>): Promise<Answer> {
  const log = await EmbeddedEventStore.open({ file: dataFile(asked, 'log.db') });
  try {
    return await work(await log.head());
  } finally {
    await log.close();
  }
}

/**
 * Asks the program that has the data folder open; null when none has. What it refuses is told with its own sentence.
 * @throws OperationError
 */
export async function askServer<Answer>({ config }: Asked, request: Parameters<typeof askRunningServer>[1]): Promise<Answer | null> {
  const answer = await askRunningServer(config, request);
  if (answer === null) return null;
  if (answer.status >= 200 && answer.status < 300) return answer.body as Answer;
  const { body } = answer;
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null;
  throw new OperationError(typeof detail === 'string' ? detail : `the server answered ${answer.status}`);
}

/** The one thing that an operation was asked for. @throws OperationError when there is none, or more */
export function theOne({ rest }: Pick<Asked, 'rest'>, sentence: string): string {
  const [name, ...more] = rest;
  if (name === undefined || more.length > 0) throw new OperationError(sentence);
  return name;
}
