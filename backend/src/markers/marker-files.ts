import type { MarkerFormat } from '@roughmix/contracts/markers/marker.formats.js';
import { CATEGORY_COLOURS } from './category-colours.js';
import { clock } from './clock.js';
import { csvRows, withoutFormula } from './csv-rows.js';
import { printPage, type PrintedVersion } from './print-page.js';
import type { Marker } from './version-markers.js';

/** Without this, Excel reads a CSV file in the system's own encoding. */
export const BOM = '\ufeff';

interface MarkerFileFormat {
  readonly contentType: string;
  /** Suffix of the file name, after the project's name and the version's number. */
  readonly ending: string;
  /** Whether {@link BOM} goes before the rows. */
  readonly hasBom?: boolean;
  readonly write: (markers: readonly Marker[], version: PrintedVersion) => string;
}

const active = (markers: readonly Marker[]): readonly Marker[] => markers.filter(({ completed }) => completed !== true);

/** The columns of REAPER's Region/Marker Manager: regions are numbered R1…, markers M1…; markers have no end, length or colour. */
function reaperFile(markers: readonly Marker[]): string {
  let [regions, points] = [0, 0];
  const rows = active(markers).map(({ start, end, name, category }) =>
    end === null
      ? [`M${++points}`, name, clock(start), '', '', '']
      : [`R${++regions}`, name, clock(start), clock(end), clock(end - start), category === null ? '' : CATEGORY_COLOURS[category]],
  );
  // It is named like a spreadsheet too, and opened in one.
  return csvRows([['#', 'Name', 'Start', 'End', 'Length', 'Color'], ...rows.map((cells) => cells.map(withoutFormula))]);
}

/** An Audacity label track: start and end in seconds and the label, with tabs between; a point ends where it starts. */
const audacityFile = (markers: readonly Marker[]): string =>
  active(markers)
    .map(({ start, end, name }) => `${start.toFixed(6)}\t${(end ?? start).toFixed(6)}\t${name}\n`)
    .join('');

const CSV_COLUMNS = ['kind', 'start', 'end', 'category', 'name', 'text', 'author', 'date', 'completed'];

/** Times in seconds, dates in ISO 8601. */
function csvFile(markers: readonly Marker[]): string {
  const rows = markers.map(({ kind, start, end, category, name, text, author, dateAdded, completed }) => {
    const date = new Date(dateAdded).toISOString();
    return [kind, start.toFixed(3), end?.toFixed(3) ?? '', category ?? '', name, text, author, date, completed === null ? '' : String(completed)];
  });
  return csvRows([CSV_COLUMNS, ...rows.map((cells) => cells.map(withoutFormula))]);
}

export const MARKER_FILES: Readonly<Record<MarkerFormat, MarkerFileFormat>> = {
  reaper: { contentType: 'text/csv; charset=utf-8', ending: ' REAPER markers.csv', write: reaperFile },
  audacity: { contentType: 'text/plain; charset=utf-8', ending: ' Audacity labels.txt', write: audacityFile },
  csv: { contentType: 'text/csv; charset=utf-8', ending: ' markers.csv', hasBom: true, write: csvFile },
  print: { contentType: 'text/html; charset=utf-8', ending: ' markers.html', write: (markers, version) => printPage(active(markers), version) },
};

/** The project's name and the version's number; characters that file systems do not allow become underscores. */
export const markerFileName = ({ projectName, number }: PrintedVersion, format: MarkerFormat): string =>
  `${projectName} ${number}${MARKER_FILES[format].ending}`
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/["*/:<>?\\|]/g, '_')
    .replace(/^[.\s]+/, '');
