import { join } from 'node:path';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded-event-store.js';
import { existingLog } from './log-file.js';
import { type OperationContext, OperationError } from './operation.js';
import { askRunningServer } from './running-server.js';

/** The path of a file in the data folder. @throws OperationError if the folder has no log */
export function dataFile({ config }: Pick<OperationContext, 'config'>, name: string): string {
  existingLog(config);
  return join(config.DATA_DIR, name);
}

/** Runs `work` with the log's last position, while no program has the log open. */
export async function withLog<Answer>(context: Pick<OperationContext, 'config'>, work: (head: Position) => Promise<Answer>): Promise<Answer> {
  const log = await EmbeddedEventStore.open({ file: dataFile(context, 'log.db') });
  try {
    return await work(await log.head());
  } finally {
    await log.close();
  }
}

/**
 * Calls the program that has the data folder open; null if none has. A refusal is reported with its own message.
 * @throws OperationError
 */
export async function askServer<Answer>({ config }: OperationContext, request: Parameters<typeof askRunningServer>[1]): Promise<Answer | null> {
  const answer = await askRunningServer(config, request);
  if (answer === null) return null;
  if (answer.status >= 200 && answer.status < 300) return answer.body as Answer;
  const { body } = answer;
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null;
  throw new OperationError(typeof detail === 'string' ? detail : `the server answered ${answer.status}`);
}

/** The single positional argument. @throws OperationError if there is none, or more than one */
export function singleArgument({ rest }: Pick<OperationContext, 'rest'>, sentence: string): string {
  const [name, ...more] = rest;
  if (name === undefined || more.length > 0) throw new OperationError(sentence);
  return name;
}
