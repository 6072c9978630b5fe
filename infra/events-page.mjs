// Writes docs/events.md and docs/asyncapi-*.yaml from the declarations in contracts. Usage: npm run events-page
import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { eventsDocument } from '../backend/dist/asyncapi/events-document.js';
import { socketDocument } from '../backend/dist/asyncapi/socket-document.js';
import { eventsPage } from '../backend/dist/events-page.js';
import { slices } from '../backend/dist/slices.js';

const write = (name, text) => writeFile(new URL(`../docs/${name}`, import.meta.url), text);
const yaml = (document) => stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });

await write('events.md', eventsPage());
await write('asyncapi-events.yaml', yaml(eventsDocument(slices.fieldClasses)));
await write('asyncapi-socket.yaml', yaml(socketDocument()));
