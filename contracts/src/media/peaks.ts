/** Samples in a column of the finest level. */
export const FINEST_SAMPLES_PER_COLUMN = 256;
/** Zoom factor from one level to the next. */
export const LEVEL_FACTOR = 4;
/** The coarsest level covers the whole file in at most this many columns. */
const COARSEST_COLUMNS = 2_000;
/** Values of one channel in one column: min, max, rms. */
export const VALUES_PER_CHANNEL = 3;
/** The int8 value of full scale: divide by it to get -1 to 1. */
export const PEAK_FULL_SCALE = 127;

const HEADER_BYTES = 16;
const MAGIC = 0x4b504d52; // 'RMPK' read as a little-endian u32
const FORMAT_VERSION = 1;

/** One level of a file's peaks. `values` holds min, max, rms (each -127 to 127), column by column, within a column channel by channel. */
export interface PeaksLevel {
  readonly channels: number;
  readonly samplesPerColumn: number;
  readonly columns: number;
  readonly values: Int8Array;
}

/** Bytes that are not peaks of the known version. */
export class PeaksMalformed extends Error {
  override readonly name = 'PeaksMalformed';
}

/**
 * Samples per column of each level of a file, coarsest first: 256·4^k, where the first has at most 2,000 columns and the last is 256.
 * @param totalSamples samples of one channel
 */
export function levelsFor(totalSamples: number): readonly number[] {
  const levels = [FINEST_SAMPLES_PER_COLUMN];
  for (let coarsest = FINEST_SAMPLES_PER_COLUMN; columnsFor(totalSamples, coarsest) > COARSEST_COLUMNS;) {
    coarsest *= LEVEL_FACTOR;
    levels.unshift(coarsest);
  }
  return levels;
}

/** The number of columns for a file with so many samples per channel; the last one may be partial. */
export const columnsFor = (totalSamples: number, samplesPerColumn: number): number => Math.ceil(totalSamples / samplesPerColumn);

/**
 * A level as stored and sent: a 16-byte little-endian header ('RMPK', u16 version, u16 channels, u32 samples per column, u32 columns), then the values.
 * @throws PeaksMalformed when there are not exactly columns · channels · 3 values
 */
export function encodePeaks(level: PeaksLevel): Uint8Array {
  if (level.values.length !== level.columns * level.channels * VALUES_PER_CHANNEL) throw new PeaksMalformed('columns and values differ');
  const bytes = new Uint8Array(HEADER_BYTES + level.values.length);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, MAGIC, true);
  header.setUint16(4, FORMAT_VERSION, true);
  header.setUint16(6, level.channels, true);
  header.setUint32(8, level.samplesPerColumn, true);
  header.setUint32(12, level.columns, true);
  bytes.set(new Uint8Array(level.values.buffer, level.values.byteOffset, level.values.length), HEADER_BYTES);
  return bytes;
}

/**
 * Reads what {@link encodePeaks} wrote. The values are a view on the given bytes, not a copy.
 * @throws PeaksMalformed for another format or version, or when bytes are missing or left over
 */
export function decodePeaks(input: ArrayBuffer | Uint8Array): PeaksLevel {
  const bytes = input instanceof Uint8Array ? input : new Uint8Array(input);
  if (bytes.length < HEADER_BYTES) throw new PeaksMalformed('no whole header');
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  if (header.getUint32(0, true) !== MAGIC) throw new PeaksMalformed('no peaks');
  if (header.getUint16(4, true) !== FORMAT_VERSION) throw new PeaksMalformed('an unknown version');
  const channels = header.getUint16(6, true);
  const columns = header.getUint32(12, true);
  const length = columns * channels * VALUES_PER_CHANNEL;
  if (bytes.length !== HEADER_BYTES + length) throw new PeaksMalformed('columns and values differ');
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, length);
  return { channels, samplesPerColumn: header.getUint32(8, true), columns, values };
}
