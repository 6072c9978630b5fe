/**
 * An index of rows by stream has one hot page per active stream, and every commit would rewrite all of them. So each stream is split into runs: after
 * {@link RUN_ROWS} rows it gets another row in `streams` with a new, higher `sid`, which keeps all active runs together at the end of the index. The first run
 * is named after the stream. Later ones append U+001F, which no stream name contains, and the first revision in ten digits, so the runs of a stream sort
 * between the name and the name followed by U+0020.
 */
export const RUN_ROWS = 32;

const SEPARATOR = '\u001F';
const DIGITS = 10;

/** The name in `streams` of the run that starts at a revision. */
export const runName = (stream: string, first: number): string => (first === 0 ? stream : `${stream}${SEPARATOR}${String(first).padStart(DIGITS, '0')}`);

/** The first revision of the run with this name. */
export const firstOfRun = (name: string): number => Number(name.split(SEPARATOR)[1] ?? 0);

/** SQL: the stream of a run, by `name`. */
export const STREAM_OF_RUN = 'substr(name, 1, instr(name || char(31), char(31)) - 1)';

/** SQL: the first revision in the run's `name`. */
export const FIRST_OF_RUN = 'CAST(iif(instr(name, char(31)) = 0, 0, substr(name, instr(name, char(31)) + 1)) AS INTEGER)';

/** SQL: whether `name` is a stream's first run. */
export const IS_FIRST_RUN = 'instr(name, char(31)) = 0';

const BELONGS = "name < ?1 || ' ' AND instr(?1, char(31)) = 0";

/** SQL: whether `name` is a run of stream ?1. */
export const IN_STREAM = `name >= ?1 AND ${BELONGS}`;

/** SQL: whether `name` is a run of stream ?1 that contains revision ?2 or later ones. */
export const IN_STREAM_FROM = `${BELONGS}
  AND name >= (SELECT max(name) FROM streams WHERE name >= ?1 AND name <= ?1 || char(31) || printf('%0${DIGITS}d', ?2))`;
