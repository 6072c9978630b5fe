import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const againMs = 200;
const limitMs = 60_000;

/** The idempotency key that makes retries safe. */
export type CommandHeaders = Readonly<Record<'idempotency-key', string>>;

/** Sends a command, and retries it with the same key while read models lag (503), as pages do; for up to a minute. */
export async function retryWhileReadModelsLag<Answer>(
  send: (headers: CommandHeaders) => Promise<Answer>,
  statusOf: (answer: Answer) => number,
): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  for (const until = Date.now() + limitMs; ; await pause(againMs)) {
    const answer = await send(headers);
    if (statusOf(answer) !== 503 || Date.now() > until) return answer;
  }
}
