import type { FieldClass, FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import { slices } from './slices.js';

const HEAD = `# Events

Every event that a stream may hold, and the class of each of its fields: **plain** ones can be read in the log, *content* is sealed under the key
of the stream, _personal (path)_ under the key of the person whose uid stands at that path. Each event also has its id (a UUID), its stream,
revision and position, and \`meta\`: actorUid (null: the system), at, commandId, request (an HMAC), correlationId, causationId, traceparent.

\`npm run -s operate -- events export\` and \`events tail\` give each event as a line of JSON (NDJSON, UTF-8, no header), oldest first, with its plain fields alone: a sealed
field is left out with its name. The keys stand in no order that counts.

    {"position": 17, "stream": "project-…", "revision": 4, "id": "…", "type": "RegionAdded", "data": {"regionId": "…", "versionId": "…", "span": {"start": 1.5, "end": 3}}, "meta": {"actorUid": "…", "at": 1700000000000, "commandId": "…", "correlationId": "…", "causationId": null}}

\`position\` rises over the whole log, \`revision\` counts from 0 in each stream without a gap, \`at\` is milliseconds since 1970.

With \`KAFKA_BROKERS\` each event is also published there as a CloudEvent 1.0, with the same plain fields as its \`data\` (an event of a type that the program does not know
goes by its name alone): \`asyncapi-events.yaml\` tells the attributes, headers and the fields of each type, ADR 25 why. What sockets say is in \`asyncapi-socket.yaml\`.

This page is made from the declarations in \`contracts\` (\`npm run events-page\`); a spec holds it to them.
`;

const wordOf = (fieldClass: FieldClass): string =>
  fieldClass === 'plain' ? '**plain**' : fieldClass === 'content' ? '*content*' : `_personal (${fieldClass.personal})_`;

const rowOf = ([type, classes]: readonly [string, FieldClasses]): string => {
  const fields = Object.entries(classes).map(([path, fieldClass]) => `\`${path}\` ${wordOf(fieldClass)}`);
  return `| \`${type}\` | ${fields.join(', ')} |`;
};

/** The text of docs/events.md. */
export function eventsPage(): string {
  const streams = new Set(slices.manifests.flatMap(({ stream }) => stream ?? []));
  const sections = [...streams].map((stream) => {
    const writing = slices.manifests.filter((slice) => slice.stream === stream);
    const rows = writing.flatMap(({ eventClasses = {} }) => Object.entries(eventClasses)).map(rowOf);
    return `## \`${stream}\`: ${writing.map(({ name }) => name).join(', ')}\n\n| Event | Fields |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return [HEAD, ...sections].join('\n');
}
