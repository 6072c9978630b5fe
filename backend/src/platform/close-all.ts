import type { Logger } from './logger.js';

export type Close = () => Promise<unknown> | undefined;

/** Closes one part after the other. One that fails does not keep the rest open. @returns the failures, which are logged */
async function tryAll(closers: readonly Close[], log: Pick<Logger, 'error'>): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const close of closers) {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, 'a part of the program could not be closed, closing the others');
      failures.push(error);
    }
  }
  return failures;
}

/** Closes one part after the other, all of them. @throws the first failure, when every part has been tried */
export async function closeAll(closers: readonly Close[], log: Pick<Logger, 'error'>): Promise<void> {
  const failures = await tryAll(closers, log);
  if (failures.length > 0) throw failures[0];
}

/** As {@link closeAll}, after an error that the caller throws on: failures to close are logged only, so that they do not replace it. */
export async function closeAfterFailure(closers: readonly Close[], log: Pick<Logger, 'error'>): Promise<void> {
  await tryAll(closers, log);
}
