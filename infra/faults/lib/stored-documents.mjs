// Reads the read models in MongoDB without code of the program.
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';

const { MongoClient } = createRequire(new URL('../../../backend/package.json', import.meta.url))('mongodb');
const MAX_REPORTED = 5;

/** The program versions that have read models, by the prefix of their names. @param {string} url MONGO_URL with its database */
export async function storedEditions(url) {
  const client = await MongoClient.connect(url);
  try {
    const collections = await client.db().listCollections({}, { nameOnly: true }).toArray();
    const found = collections.map(({ name }) => /^read\.docs\.(e[0-9a-f]{8}_)?.+_v\d+_g\d+$/.exec(name));
    return new Set(found.filter((match) => match !== null).map(([, prefix = '']) => prefix));
  } finally {
    await client.close();
  }
}

/** Every served document with its position, by projector, collection and id, of the only program version. @param {string} url MONGO_URL with its database */
export async function servedDocuments(url) {
  const editions = [...(await storedEditions(url))];
  if (editions.length !== 1) throw new Error(`there are read models of ${editions.length} program versions`);
  const [prefix] = editions;
  const client = await MongoClient.connect(url);
  try {
    const db = client.db();
    const fact = await db.collection('read.facts').findOne({ _id: `${prefix}generations` });
    const documents = new Map();
    for (const [projector, { served }] of Object.entries(JSON.parse(fact.value))) {
      for (const name of served.collections) {
        const stored = db.collection(`read.docs.${prefix}${name}_v${served.version}_g${served.number}`);
        for await (const { _id, ...rest } of stored.find({})) documents.set(`${projector}/${name}/${_id}`, rest);
      }
    }
    return documents;
  } finally {
    await client.close();
  }
}

const told = (document) => JSON.stringify(document)?.slice(0, 300) ?? 'missing';

/** Compares documents with the same ones rebuilt from the log. */
export function compareDocuments(stored, rebuilt, wrong) {
  const names = [...new Set([...stored.keys(), ...rebuilt.keys()])].filter((name) => !isDeepStrictEqual(stored.get(name), rebuilt.get(name)));
  for (const name of names.slice(0, MAX_REPORTED)) wrong(`document ${name} is ${told(stored.get(name))}, the log gives ${told(rebuilt.get(name))}`);
  if (names.length > MAX_REPORTED) wrong(`${names.length - MAX_REPORTED} more documents differ from the fold of the log`);
  return rebuilt.size;
}
