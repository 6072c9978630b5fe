import type { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../clock.js';

/** Less may be the answer's way to us, and the second that its date is rounded to. */
const NOTED_MS = 5_000;

/** How far the clock of an S3 server is ahead of ours: addresses are good by the server's, and some for a minute alone. */
export class ServerClock {
  #ahead = 0;

  /** Listens to every answer that a client gets. */
  constructor(client: S3Client, clock: Clock) {
    client.middlewareStack.add(
      (next) => async (asked) => {
        const answered = await next(asked);
        const date = Date.parse(dateIn(answered.response));
        if (!Number.isNaN(date)) this.#ahead = date - clock();
        return answered;
      },
      { step: 'deserialize', name: 'roughmixServerClock' },
    );
  }

  /** In milliseconds, as its last answer said; negative when it is behind, 0 when they are about the same. */
  get ahead(): number {
    return Math.abs(this.#ahead) < NOTED_MS ? 0 : this.#ahead;
  }
}

function dateIn(response: unknown): string {
  const { headers } = response as { readonly headers?: Readonly<Record<string, string>> };
  return headers?.['date'] ?? '';
}
