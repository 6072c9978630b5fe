// Writes docs/events.md from what contracts declare. Usage: npm run events-page
import { writeFile } from 'node:fs/promises';
import { eventsPage } from '../backend/dist/events-page.js';

await writeFile(new URL('../docs/events.md', import.meta.url), eventsPage());
