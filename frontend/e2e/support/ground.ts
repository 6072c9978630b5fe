import { startServer, type Entrance } from './server';

/** What a journey of two people runs on. */
export interface Ground {
  /** Where each of them comes in, which may be different processes of one site. */
  readonly entrances: readonly [Entrance, Entrance];
  /** Ends the process that the first one's browser talks to, at once; where it is the only one it is started again. */
  loseFirst(): Promise<void>;
  stop(): Promise<void>;
}

/** One program with everything in its folder, as `npm start` starts it. */
async function embedded(): Promise<Ground> {
  const server = await startServer();
  const loseFirst = async (): Promise<void> => {
    await server.kill9();
    await server.restart();
  };
  return { entrances: [server, server], loseFirst, stop: () => server.stop() };
}

let open = embedded;

/** Chooses the ground of the journey that is imported next; without it that is the embedded default. */
export function runOn(ground: () => Promise<Ground>): void {
  open = ground;
}

export const openGround = (): Promise<Ground> => open();
