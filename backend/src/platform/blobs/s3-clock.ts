import type { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../clock.js';

/** Smaller differences may be latency and the Date header's rounding to seconds. */
const MIN_DIFFERENCE_MS = 5_000;

/** How far an S3 server's clock is ahead of ours. Signed URLs expire by the server's clock, some within a minute. */
export class ServerClock {
  #ahead = 0;

  /** Reads the Date header of every response to a client. */
  constructor(client: S3Client, clock: Clock) {
    client.middlewareStack.add(
      (next) => async (request) => {
        const answered = await next(request);
        const date = Date.parse(dateIn(answered.response));
        if (!Number.isNaN(date)) this.#ahead = date - clock();
        return answered;
      },
      { step: 'deserialize', name: 'roughmixServerClock' },
    );
  }

  /** In milliseconds, by its last response; negative if it is behind, 0 if about equal. */
  get ahead(): number {
    return Math.abs(this.#ahead) < MIN_DIFFERENCE_MS ? 0 : this.#ahead;
  }
}

function dateIn(response: unknown): string {
  const { headers } = response as { readonly headers?: Readonly<Record<string, string>> };
  return headers?.['date'] ?? '';
}
