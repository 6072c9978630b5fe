import { startServer, type EntryPoint } from './server';

/** The installation that a journey of two users runs on. */
export interface TestSite {
  /** The entry point of each user; these may be different processes. */
  readonly entryPoints: readonly [EntryPoint, EntryPoint];
  /** Kills the first user's process; restarts it if it is the only one. */
  killFirst(): Promise<void>;
  stop(): Promise<void>;
}

/** A single process with embedded stores, as started by `npm start`. */
async function embedded(): Promise<TestSite> {
  const server = await startServer();
  const killFirst = async (): Promise<void> => {
    await server.kill9();
    await server.restart();
  };
  return { entryPoints: [server, server], killFirst, stop: () => server.stop() };
}

let open = embedded;

/** Sets the installation for the journey that is imported next; by default the embedded one. */
export function runOnSite(openSite: () => Promise<TestSite>): void {
  open = openSite;
}

export const openTestSite = (): Promise<TestSite> => open();
