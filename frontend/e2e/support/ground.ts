import { startServer, type Entrance } from './server';

/** The installation that a journey of two users runs on. */
export interface Ground {
  /** The entry point of each user; these may be different processes. */
  readonly entrances: readonly [Entrance, Entrance];
  /** Kills the first user's process; restarts it if it is the only one. */
  loseFirst(): Promise<void>;
  stop(): Promise<void>;
}

/** A single process with embedded stores, as started by `npm start`. */
async function embedded(): Promise<Ground> {
  const server = await startServer();
  const loseFirst = async (): Promise<void> => {
    await server.kill9();
    await server.restart();
  };
  return { entrances: [server, server], loseFirst, stop: () => server.stop() };
}

let open = embedded;

/** Sets the installation for the journey that is imported next; by default the embedded one. */
export function runOn(ground: () => Promise<Ground>): void {
  open = ground;
}

export const openGround = (): Promise<Ground> => open();
