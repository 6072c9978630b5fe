import { pino } from 'pino';
import { type KafkaAccess, kafkaAccessOf } from '../platform/stream-out/kafka-access.js';
import { PUBLISH_TO_KAFKA } from '../platform/stream-out/publish-to-kafka.js';
import { type Comparison, TopicComparison } from '../platform/stream-out/topic-comparison.js';
import type { PartitionEnds } from '../platform/stream-out/topic-reader.js';
import { type Operation, type OperationContext, OperationError } from './operation.js';
import { openReadOnlyLog } from './read-only-log.js';
import { reactorsOf } from './reactors-status.operation.js';

const SHOWN = 20;
const number = (count: number): string => count.toLocaleString('en');

/** Checks that the topic has every event. */
export const eventsCompareTopic: Operation = {
  name: 'events compare-topic',
  about:
    'reads KAFKA_TOPIC and compares it with the log up to the position that was published: which events are missing, repeated or out of order. Changes nothing and works while the server is running. Exit code 1 if any is missing or out of order',
  usage: '',
  options: {},
  async run(context) {
    const access = kafkaAccessOf(context.config);
    if (access === null) throw new OperationError('events compare-topic: KAFKA_BROKERS is not set');
    // First, because what is published afterwards may be in the topic in part.
    const { checkpoint, parked } = await published(context);
    const comparison = await expectedOf(context, checkpoint, new Set(parked));
    const result = await compare(context, access, comparison);
    for (const line of linesOf(context.config.KAFKA_TOPIC, checkpoint, result)) await context.print(line);
    return result.missing.length + result.disordered.length === 0 ? 0 : 1;
  },
};

/** How far publishing is, and which events it has parked. */
async function published(context: OperationContext): Promise<{ readonly checkpoint: number; readonly parked: readonly number[] }> {
  const { reactors } = await reactorsOf(context);
  const found = reactors.find(({ reactor }) => reactor === PUBLISH_TO_KAFKA);
  if (found === undefined) throw new OperationError('events compare-topic: nothing was published yet');
  return { checkpoint: found.checkpoint, parked: found.parked.map(({ position }) => position) };
}

async function expectedOf({ config, signal }: OperationContext, checkpoint: number, parked: ReadonlySet<number>): Promise<TopicComparison> {
  const comparison = new TopicComparison();
  const log = await openReadOnlyLog(config);
  try {
    for (let page = await log.after(0); page.length > 0; page = await log.after(page.at(-1)?.position ?? checkpoint)) {
      if (signal.aborted) throw new OperationError('events compare-topic: interrupted');
      for (const event of page) if (event.position <= checkpoint) comparison.expect(event, parked.has(event.position));
      if ((page.at(-1)?.position ?? checkpoint) >= checkpoint) break;
    }
  } finally {
    await log.close();
  }
  return comparison;
}

async function compare({ config, signal }: OperationContext, access: KafkaAccess, comparison: TopicComparison): Promise<Comparison> {
  const [{ kafkaClient }, { endsOf, readUpTo }, { partitionOf }, { toPortError }] = await Promise.all([
    import('../platform/stream-out/kafka-client.js'),
    import('../platform/stream-out/topic-reader.js'),
    import('../platform/stream-out/partition-producers.js'),
    import('../platform/stream-out/kafka-errors.js'),
  ]);
  const { KAFKA_TOPIC: topic } = config;
  const kafka = kafkaClient(access, pino({ level: 'warn' }, process.stderr));
  try {
    const ends = await endsOf(kafka, topic);
    const isTrimmed = trimmedIn(ends);
    const take: Parameters<typeof readUpTo>[2]['take'] = ({ partition, message: { key, headers } }) =>
      comparison.take({ partition, id: String(headers?.['ce_id']), key: String(key), isTrimmed: isTrimmed(partition) });
    await readUpTo(kafka, topic, { ends, signal, take });
    return comparison.result({ partitionOf: (stream) => partitionOf(stream, { topic, partitions: ends.length }), isTrimmed });
  } catch (error) {
    throw toPortError(error, `the topic ${topic} could not be read`);
  }
}

function trimmedIn(ends: readonly PartitionEnds[]): (partition: number) => boolean {
  const trimmed = new Set(ends.filter(({ low }) => low > 0).map(({ partition }) => partition));
  return (partition) => trimmed.has(partition);
}

function linesOf(topic: string, checkpoint: number, { missing, disordered, ...counts }: Comparison): readonly string[] {
  const first = Math.min(...[missing[0], disordered[0]].map((event) => event?.position ?? Infinity));
  const shown = missing.slice(0, SHOWN).map(({ position, stream, type, id }) => `missing: position ${position}, ${stream}, ${type}, ${id}`);
  const order = disordered.slice(0, SHOWN).map(({ stream, revision }) => `out of order: ${stream} from revision ${revision} on`);
  const isWhole = missing.length + disordered.length === 0;
  return [
    ...shown,
    ...more(missing.length),
    ...order,
    ...more(disordered.length),
    ...notesOf(counts),
    `${topic} ${isWhole ? 'has' : 'does not have'} every event in order: ${number(missing.length)} of ${number(counts.events)} up to position ${checkpoint} are missing, ${number(counts.repeats)} of ${number(counts.messages)} messages are repeats`,
    ...(isWhole ? [] : [`to publish them again in order: operate -- reactors rewind ${PUBLISH_TO_KAFKA} --to ${first - 1}`]),
  ];
}

const more = (count: number): readonly string[] => (count > SHOWN ? [`and ${number(count - SHOWN)} more`] : []);

function notesOf({ parked, trimmed, split, others }: Pick<Comparison, 'parked' | 'trimmed' | 'split' | 'others'>): readonly string[] {
  return [
    ...(parked > 0 ? [`${number(parked)} events are parked: operate -- reactors replay ${PUBLISH_TO_KAFKA}`] : []),
    ...(trimmed > 0 ? [`${number(trimmed)} events are older than what the topic keeps`] : []),
    ...(split > 0 ? [`${number(split)} streams are in several partitions, because partitions were added; their order was not compared`] : []),
    ...(others > 0 ? [`${number(others)} messages are of another log or source, or newer`] : []),
  ];
}
