import type { FieldClass, FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import type { Upcaster } from './kernel/upcast.js';
import { slices } from './slices.js';

const HEAD = `# Events

Every event by stream, and the class of each of its fields: **plain** fields are readable in the log, *content* is sealed under the key of the
stream, _personal (path)_ under the key of the person whose uid is at that path. Each event also has an id (a UUID), its stream, revision and
position, and \`meta\`: actorUid (null for the system), at, commandId, part (of a command with several appends), request (an HMAC), correlationId, causationId, traceparent.

\`npm run -s operate -- events export\` and \`events tail\` print each event as a line of JSON (NDJSON, UTF-8, no header), oldest first. Sealed fields
are left out, names included. The order of keys has no meaning.

    {"position": 17, "stream": "project-…", "revision": 4, "id": "…", "type": "RegionAdded", "data": {"regionId": "…", "versionId": "…", "span": {"start": 1.5, "end": 3}}, "meta": {"actorUid": "…", "at": 1700000000000, "commandId": "…", "correlationId": "…", "causationId": null}}

\`position\` increases over the whole log, \`revision\` counts from 0 in each stream without gaps, \`at\` is milliseconds since 1970.

With \`KAFKA_BROKERS\` each event is also published as a CloudEvent 1.0 with the same plain fields as its \`data\` (events of unknown types without
data). \`asyncapi-events.yaml\` specifies attributes, headers and the fields of each type, ADR 25 gives the reasons. \`asyncapi-socket.yaml\` specifies
the socket's messages.

An analyst's copy is complete if it has every revision of each stream from 0 on. Repeats have the same id; a reader that takes the events of a stream strictly by their
revisions, and ignores the others, sees each once and in order.

\`npm run -s operate -- events compare-topic\` checks a topic: it reads all of it and compares it with the log, up to the position that was published. It lists events that
are missing or out of order, counts repeats, and prints the \`reactors rewind\` that repairs it by publishing everything from the first such event on again. Events that the topic
has deleted because of their age do not count as missing, and the order of streams that are in several partitions is not compared. It needs the rights Describe and Read
on the topic and Read on consumer groups whose names begin with \`roughmix-reader-\`, and about 250 bytes of memory for each event. **Check topics on several brokers once if versions up to 0.1.0
published to them: these lost some events when a broker failed** (ADR 25).

The partition follows from the stream, by the hash that Kafka's own clients use, and the number of partitions. If partitions are added while the program runs, it notices within a minute, or
at once after a failed send, and logs a warning. From then on most streams continue in another partition, so a reader may get later events of a stream before earlier ones; it can sort them by
revision. Events that were published before stay where they are.

This page is generated from the declarations in \`contracts\` (\`npm run events-page\`); a spec checks that it is current.
`;

const labelOf = (fieldClass: FieldClass): string =>
  fieldClass === 'plain' ? '**plain**' : fieldClass === 'content' ? '*content*' : `_personal (${fieldClass.personal})_`;

const rowOf = ([type, classes]: readonly [string, FieldClasses]): string => {
  const fields = Object.entries(classes).map(([path, fieldClass]) => `\`${path}\` ${labelOf(fieldClass)}`);
  return `| \`${type}\` | ${fields.join(', ')} |`;
};

const formerRowOf = ({ from, to, classes }: Upcaster): string => `${rowOf([from, classes]).slice(0, -2)}. No longer written; read as \`${to}\` |`;

/** The text of docs/events.md. */
export function eventsPage(): string {
  const streams = new Set(slices.manifests.flatMap(({ stream }) => stream ?? []));
  const sections = [...streams].map((stream) => {
    const manifests = slices.manifests.filter((slice) => slice.stream === stream);
    const rows = manifests.flatMap(({ eventClasses = {}, upcasters = [] }) => [...Object.entries(eventClasses).map(rowOf), ...upcasters.map(formerRowOf)]);
    return `## \`${stream}\`: ${manifests.map(({ name }) => name).join(', ')}\n\n| Event | Fields |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return [HEAD, ...sections].join('\n');
}
