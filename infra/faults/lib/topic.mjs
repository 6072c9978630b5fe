// Compares a topic with the log that it was published from.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { kafkaOf } from '../../../backend/dist/testing/kafka-access.js';
import { kafkaAt, readTopic } from '../../../backend/dist/testing/read-topic.js';

/** Every event of a log as stored, without decryption. */
function storedEvents(folder) {
  const log = new DatabaseSync(join(folder, 'log.db'), { readOnly: true, timeout: 5_000 });
  try {
    const rows = log.prepare('SELECT position, stream, revision, id, type, data FROM log ORDER BY position').all();
    return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }));
  } finally {
    log.close();
  }
}

const isSealed = (value) => value !== null && typeof value === 'object' && '$sealed' in value;

/** Data without sealed fields; an independent implementation. */
function plainOf(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.filter((each) => !isSealed(each)).map(plainOf);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => !isSealed(each))
      .map(([name, each]) => [name, plainOf(each)]),
  );
}

/** What is wrong with an event's message, if anything. */
function wrongIn({ key, value }, event) {
  const published = JSON.parse(value);
  const facts = { position: String(event.position), revision: event.revision, subject: event.stream, type: `roughmix.${event.type}` };
  const other = Object.keys(facts).find((name) => published[name] !== facts[name]);
  if (other !== undefined) return `${event.id} was published with another ${other}`;
  if (key !== event.stream) return `${event.id} has the key ${key}`;
  return JSON.stringify(published.data) === JSON.stringify(plainOf(event.data)) ? null : `${event.id} was published with data other than its plain fields`;
}

/** In a partition each message must be the next one of the log or a repeat of an earlier one, so that nothing is missing and repeats are in order. */
function disorder(messages, events) {
  const places = new Map(events.map((event, at) => [event.id, at]));
  const wrong = [];
  let [highest, before, repeats] = [-1, -1, 0];
  for (const { headers, partition, offset } of messages) {
    const at = places.get(headers.ce_id);
    if (at === highest + 1) highest = at;
    else if (at > highest) wrong.push(`partition ${partition} leaves out ${at - highest - 1} events before offset ${offset}`);
    if (at <= before || at < highest) repeats += 1;
    highest = Math.max(highest, at);
    before = at;
  }
  if (highest + 1 < events.length) wrong.push(`the last ${events.length - highest - 1} of ${events.length} events are missing`);
  return { wrong, repeats };
}

/** @returns {Promise<{ wrong: string[], messages: number, repeats: number }>} the problems of a topic that must contain the log of a folder */
export async function compareTopic(env, topic, folder) {
  const events = storedEvents(folder);
  const byId = new Map(events.map((event) => [event.id, event]));
  const messages = await readTopic(kafkaAt(kafkaOf(env)), topic);
  const wrong = [];
  const partitionOf = new Map();
  const groups = new Map();
  for (const message of messages) {
    const event = byId.get(message.headers.ce_id);
    const sentence = event === undefined ? `${message.headers.ce_id} is not in the log` : wrongIn(message, event);
    if (sentence !== null) wrong.push(sentence);
    if ((partitionOf.get(message.key) ?? message.partition) !== message.partition) wrong.push(`${message.key} is in two partitions`);
    partitionOf.set(message.key, message.partition);
    groups.set(message.partition, [...(groups.get(message.partition) ?? []), message]);
  }
  const missing = events.filter(({ stream }) => !partitionOf.has(stream));
  if (missing.length > 0) wrong.push(`${missing.length} events are missing with their streams`);
  let repeats = 0;
  for (const [partition, group] of groups) {
    const found = disorder(
      group,
      events.filter(({ stream }) => partitionOf.get(stream) === partition),
    );
    wrong.push(...found.wrong);
    repeats += found.repeats;
  }
  return { wrong, messages: messages.length, repeats };
}
