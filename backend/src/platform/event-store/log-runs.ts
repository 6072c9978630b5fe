/**
 * The index of rows by stream would have one page for each stream that is written, and a commit would write all of them anew. So a stream's rows go
 * by runs: after {@link RUN_ROWS} rows a stream gets another row in `streams`, and with it a new, higher `sid`. Runs that are being written lie beside each
 * other at the index's end. The first run has the stream's name, a later one the name, U+001F, which no name holds, and its first revision in ten digits:
 * so a stream's runs lie in order in the index of names, between the name and the name with U+0020 behind it.
 */
export const RUN_ROWS = 32;

const BETWEEN = '\u001F';
const DIGITS = 10;

/** The name under which a stream's run from a revision on stands in `streams`. */
export const runName = (stream: string, first: number): string => (first === 0 ? stream : `${stream}${BETWEEN}${String(first).padStart(DIGITS, '0')}`);

/** The first revision of the run with this name. */
export const firstOfRun = (name: string): number => Number(name.split(BETWEEN)[1] ?? 0);

/** SQL: the stream of a run, by `name`. */
export const STREAM_OF_RUN = 'substr(name, 1, instr(name || char(31), char(31)) - 1)';

/** SQL: the first revision that the run's `name` tells. */
export const FIRST_OF_RUN = 'CAST(iif(instr(name, char(31)) = 0, 0, substr(name, instr(name, char(31)) + 1)) AS INTEGER)';

/** SQL: whether `name` is that of a stream's first run. */
export const IS_FIRST_RUN = 'instr(name, char(31)) = 0';

const BELONGS = "name < ?1 || ' ' AND instr(?1, char(31)) = 0";

/** SQL: `name` is that of a run of stream ?1. */
export const IN_STREAM = `name >= ?1 AND ${BELONGS}`;

/** SQL: `name` is that of a run of stream ?1 that holds revision ?2 or later ones. */
export const IN_STREAM_FROM = `${BELONGS}
  AND name >= (SELECT max(name) FROM streams WHERE name >= ?1 AND name <= ?1 || char(31) || printf('%0${DIGITS}d', ?2))`;
