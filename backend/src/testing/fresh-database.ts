import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { MongoConnection } from '../platform/mongo/mongo-connection.js';

/** One test's own database on a server. */
export interface FreshDatabase {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/** Returns an unused database name; the first write creates the database. */
export function freshDatabase(server: string): FreshDatabase {
  const name = `roughmix_test_${randomBytes(6).toString('hex')}`;
  const url = server.replace(/^([^/]+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`);
  const remove = async (): Promise<void> => {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
    try {
      await client.db(name).dropDatabase();
    } finally {
      await client.close();
    }
  };
  return { url, remove };
}

/** A fresh database to open stores on, each over a connection of its own, as another process would have. */
export function freshTestDatabase<Store>(
  server: string,
  openOn: (options: { readonly connection: MongoConnection }) => Promise<Store>,
): { readonly open: () => Promise<Store>; readonly remove: () => Promise<void> } {
  const { url, remove } = freshDatabase(server);
  const connections: MongoConnection[] = [];
  return {
    open: async () => {
      const connection = await MongoConnection.open({ url });
      connections.push(connection);
      return openOn({ connection });
    },
    remove: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
      await remove();
    },
  };
}
