import type { MongoConnection } from '../mongo/mongo-connection.js';

/** The prefix of the read models' collections. */
const PREFIX = 'read.';

/** Drops all read models and their checkpoints and facts; the next projector rebuilds them. No projector may be running. @throws ServiceUnavailable */
export async function dropReadModels(connection: MongoConnection): Promise<void> {
  for (const name of await connection.names(PREFIX)) await connection.drop(name);
}
