/** Rows as in RFC 4180: cells with a comma, a quote or a line break are quoted, quotes are doubled, each row ends with CRLF. */
export const csvRows = (rows: readonly (readonly string[])[]): string => rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A cell that spreadsheets would run as a formula starts with an apostrophe instead. */
export const withoutFormula = (cell: string): string => (/^[=+\-@\t]/.test(cell) ? `'${cell}` : cell);
