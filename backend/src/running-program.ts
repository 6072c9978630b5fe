import type { DrainTimes } from './platform/http/drain.js';

/** A program that runs, and how to end it. */
export interface RunningProgram {
  readonly address: string;
  /** Where metrics are served, null when they are not. */
  readonly metricsPort: number | null;
  /** Answers what is under way, closes, and cuts off what takes longer than `times`. */
  stop(times?: DrainTimes): Promise<void>;
}

export const addressOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
