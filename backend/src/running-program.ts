import type { DrainTimes } from './platform/http/drain.js';

/** A started program. */
export interface RunningProgram {
  readonly address: string;
  /** The port of the metrics, null without them. */
  readonly metricsPort: number | null;
  /** The link for creating the first account; null if there is an account, or if other processes may serve, too. */
  readonly firstAccountLink: string | null;
  /** Finishes open requests, aborts those that take longer than `times`, and closes everything. */
  stop(times?: DrainTimes): Promise<void>;
}

export const addressOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
