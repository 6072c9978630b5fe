import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const platform = 'backend/src/platform';

/** The servers that a suite can need, by how its file's name starts; `embedded-log.spec.ts` and the like need none. */
export const servers = [
  { name: 'EventStoreDB', prefix: 'eventstoredb-', needs: 'EVENTSTORE_URL' },
  { name: 'MongoDB', prefix: 'mongo-', needs: 'MONGO_URL' },
  { name: 'S3', prefix: 's3-', needs: 'S3_ENDPOINT' },
  { name: 'Kafka', prefix: 'kafka-', needs: 'KAFKA_BROKERS' },
];

/**
 * Every spec that runs an adapter through its port's contract (it imports a `*.contract.js`), with the names that the
 * environment lacks for it.
 */
export function contractSuites(environment = process.env) {
  const specs = readdirSync(join(root, platform), { recursive: true }).filter((file) => file.endsWith('.spec.ts'));
  return specs
    .map((file) => `${platform}/${file.replaceAll('\\', '/')}`)
    .filter((spec) => /from '[^']+\.contract\.js'/.test(readFileSync(join(root, spec), 'utf8')))
    .toSorted()
    .map((spec) => {
      const server = servers.find(({ prefix }) => basename(spec).startsWith(prefix));
      return { spec, missing: server && !environment[server.needs] ? [server.needs] : [] };
    });
}
