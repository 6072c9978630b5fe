import { createHash } from 'node:crypto';
import { CATEGORY_LABELS, type RegionCategory } from '@roughmix/contracts/shared/categories.js';
import { CATEGORY_COLOURS } from './category-colours.js';
import { clock } from './clock.js';
import { singleLine } from './plain-text.js';
import type { Marker } from './version-markers.js';

/** The version that a page of markers is about. */
export interface PrintedVersion {
  readonly projectName: string;
  /** For example 1.2. */
  readonly number: string;
  readonly tinySummary: string;
}

const STYLE = `
@page { margin: 15mm }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #000; background: #fff; font: 0.875rem/1.45 system-ui, sans-serif }
h1 { margin: 0; font-size: 1.5rem } p { margin: 0.25rem 0 1.5rem }
table { width: 100%; border-collapse: collapse } th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid #bbb; text-align: left; vertical-align: top }
tr { break-inside: avoid } thead { display: table-header-group }
.time { white-space: nowrap; font-variant-numeric: tabular-nums } .text { white-space: pre-wrap; overflow-wrap: anywhere }
${Object.entries(CATEGORY_COLOURS)
  .map(([category, colour]) => `.${category} { color: #${colour} }`)
  .join('\n')}
@media (max-width: 40rem) { thead { display: none } tr, td { display: block } td { padding: 0.1rem 0; border: 0 } tr { padding: 0.6rem 0; border-bottom: 1px solid #bbb } }
`;

/** For the printable page: its own style sheet and nothing else. */
export const PRINT_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const html = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const KINDS = { region: 'Region', comment: 'Comment', todo: 'Todo' } as const;

const categoryCell = (category: RegionCategory | null): string =>
  category === null ? '<td></td>' : `<td class="${category}">${CATEGORY_LABELS[category]}</td>`;

function row({ kind, start, end, category, name, label, text, author, dateAdded }: Marker): string {
  const time = end === null ? clock(start) : `${clock(start)} – ${clock(end)}`;
  const words = [label, text].filter(Boolean).join('\n') || name;
  const cells = [`<td class="time">${time}</td>`, `<td>${KINDS[kind]}</td>`, categoryCell(category)];
  return `<tr>${cells.join('')}<td class="text" dir="auto">${html(words)}</td><td dir="auto">${html(author)}</td><td class="time">${new Date(dateAdded).toISOString().slice(0, 10)}</td></tr>\n`;
}

/** A whole HTML page without scripts; every text is escaped. */
export function printPage(markers: readonly Marker[], { projectName, number, tinySummary }: PrintedVersion): string {
  const title = html(singleLine(`${projectName} ${number}`));
  const table =
    markers.length === 0
      ? '<p>This version has no markers.</p>\n'
      : `<table>\n<thead><tr><th>Time</th><th>Kind</th><th>Category</th><th>Text</th><th>Author</th><th>Date</th></tr></thead>\n<tbody>\n${markers.map(row).join('')}</tbody>\n</table>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${html(PRINT_POLICY)}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1 dir="auto">${title}</h1>
<p dir="auto">${html(singleLine(tinySummary))}</p>
${table}</body>
</html>
`;
}
