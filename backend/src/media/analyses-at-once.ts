/** What analyses may use. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/** Left for the server beside its child processes. */
const SERVER_BYTES = 450 * 1024 * 1024;
const MOST = 4;

/** How many files may be analysed at once: one for each core, as long as each child process can use all the memory that it may. */
export const analysesAtOnce = ({ cores, memoryBytes }: Machine, bytesEach: number): number =>
  Math.max(1, Math.min(cores, MOST, Math.floor((memoryBytes - SERVER_BYTES) / bytesEach)));
