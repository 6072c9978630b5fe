import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const againMs = 200;
const limitMs = 60_000;

/** What goes along with a command, so that sent again it acts once. */
export type Keyed = Readonly<Record<'idempotency-key', string>>;

/** Sends a command, and again under its key while the server puts it off (503) because the read models lag, as pages do; for a minute at most. */
export async function insist<Answer>(send: (headers: Keyed) => Promise<Answer>, statusOf: (answer: Answer) => number): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  for (const until = Date.now() + limitMs; ; await pause(againMs)) {
    const answer = await send(headers);
    if (statusOf(answer) !== 503 || Date.now() > until) return answer;
  }
}
