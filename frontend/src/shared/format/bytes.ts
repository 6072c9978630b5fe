const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

const unitIndex = (bytes: number) => {
  let index = 0;
  for (let rest = bytes; rest >= 999.95 && index < UNITS.length - 1; rest /= 1000) index += 1;
  return index;
};

const inUnit = (bytes: number, index: number) => (index === 0 ? String(Math.round(bytes)) : (bytes / 1000 ** index).toFixed(1));

/** A size in decimal units with one decimal place: 28_400_000 is '28.4 MB'. */
export const formatBytes = (bytes: number): string => {
  const size = Math.max(0, bytes);
  const index = unitIndex(size);
  return `${inUnit(size, index)} ${UNITS[index] ?? ''}`;
};

/** Upload progress in the unit of the whole file: '17.9 of 28.4 MB'. */
export const formatBytesDone = (done: number, whole: number): string => {
  const index = unitIndex(Math.max(0, whole));
  return `${inUnit(Math.min(Math.max(0, done), whole), index)} of ${formatBytes(whole)}`;
};
