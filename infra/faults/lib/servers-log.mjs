// Reads the log in EventStoreDB without code of the program.
import { createRequire } from 'node:module';
import { keysIn, openLeaves } from './log-fold.mjs';

const require = createRequire(new URL('../../../backend/package.json', import.meta.url));
const { EventStoreDBClient, START, FORWARDS } = require('@eventstore/db-client');
const { MongoClient } = require('mongodb');
const MOST = 1_000_000;

/**
 * Every event of the program in order.
 * @param {{ EVENTSTORE_URL: string }} env
 * @returns {Promise<readonly { stream: string, revision: number, position: number, id: string, type: string, data: unknown, meta: { commandId: string, actorUid: string | null } }[]>}
 */
export async function readServersLog({ EVENTSTORE_URL }) {
  const client = EventStoreDBClient.connectionString(EVENTSTORE_URL);
  const events = [];
  try {
    for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: START, maxCount: MOST })) {
      if (event === undefined || event.type.startsWith('$') || event.metadata?.commandId === undefined) continue;
      const { streamId, revision, position, id, type, data, metadata } = event;
      events.push({ stream: streamId, revision: Number(revision), position: Number(position.commit), id, type, data, meta: metadata });
    }
  } finally {
    await client.dispose();
  }
  return events;
}

/** Records of a vault in MongoDB. @returns {Promise<{ id: string, body: any }[]>} */
export async function vaultRecords({ MONGO_URL }, kind) {
  const client = new MongoClient(MONGO_URL);
  try {
    const found = await client
      .db(new URL(MONGO_URL).pathname.slice(1) || 'roughmix')
      .collection(`vault.${kind}`)
      .find()
      .toArray();
    return found.map(({ _id, body }) => ({ id: _id, body }));
  } finally {
    await client.close();
  }
}

/** The same log with sealed fields decrypted by the keys in MongoDB. */
export async function readOpenedServersLog(env) {
  const events = await readServersLog(env);
  const keys = keysIn(await vaultRecords(env, 'data-keys'));
  return events.map((event) => ({ ...event, data: openLeaves(event.data, keys, event.id) }));
}

/** The problems of a log with gaps between positions that must contain the acknowledged commands, as sentences. */
export function wrongInServersLog(events, ledger) {
  const wrong = [];
  const byCommand = new Map();
  for (const event of events) byCommand.set(event.meta.commandId, [...(byCommand.get(event.meta.commandId) ?? []), event]);
  for (const [key, { uid, position }] of ledger.acknowledged) {
    const found = byCommand.get(key) ?? [];
    if (found.length === 0 && position > 0) wrong.push(`acknowledged at position ${position} and lost: command ${key}`);
    if (found.length > 0 && found.at(-1).position !== position)
      wrong.push(`command ${key} was acknowledged at ${position}, but is stored at ${found.at(-1).position}`);
    if (found.some(({ meta }) => meta.actorUid !== uid)) wrong.push(`command ${key} carries another actor`);
  }
  for (const [key, [first, ...rest]] of byCommand) {
    const isTogether = rest.every(({ stream, revision }, at) => stream === first.stream && revision === first.revision + at + 1);
    if (!isTogether && first.meta.actorUid !== null) wrong.push(`the events of command ${key} are not contiguous`);
    if (ledger.refused.has(key)) wrong.push(`refused with ${ledger.refused.get(key)} but stored: command ${key}`);
  }
  return wrong;
}
