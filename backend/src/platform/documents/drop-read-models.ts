import type { MongoConnection } from '../mongo/mongo-connection.js';

/** Everything of the read models lies in collections that begin so. */
const PREFIX = 'read.';

/** Drops every read model, with what is known of them; the next that projects builds them anew. Nobody may be working on them. @throws StoreAway */
export async function dropReadModels(connection: MongoConnection): Promise<void> {
  for (const name of await connection.names(PREFIX)) await connection.drop(name);
}
