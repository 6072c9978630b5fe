/** A generated FLAC file of silence. */
export interface SilentFlac {
  readonly seconds: number;
  /** The duration in its header, if it differs from the real one; 0 means unknown. */
  readonly claimedSeconds?: number;
  readonly sampleRate?: 8_000 | 44_100 | 48_000;
  readonly channels?: number;
  /** Samples per frame, at most 65,535. */
  readonly blockSize?: number;
  /** In a block of their own, where there are any. */
  readonly comments?: readonly string[];
}

/** A whole FLAC file of digital silence: about 12 bytes per frame, so an hour is still small (RFC 9639). */
export function silentFlac({
  seconds,
  claimedSeconds = seconds,
  sampleRate = 48_000,
  channels = 2,
  blockSize = 65_535,
  comments = [],
}: SilentFlac): Uint8Array {
  const bytes: number[] = [...ascii('fLaC'), comments.length > 0 ? 0 : 0x80, 0, 0, 34, ...u16(blockSize), ...u16(blockSize), 0, 0, 0, 0, 0, 0];
  const total = Math.round(claimedSeconds * sampleRate);
  bytes.push(sampleRate >>> 12, (sampleRate >>> 4) & 0xff, ((sampleRate & 15) << 4) | ((channels - 1) << 1), (15 << 4) | Math.floor(total / 2 ** 32));
  bytes.push((total >>> 24) & 0xff, (total >>> 16) & 0xff, ...u16(total & 0xffff), ...Array.from({ length: 16 }, () => 0));
  if (comments.length > 0) bytes.push(...commentBlock(comments));
  let left = Math.round(seconds * sampleRate);
  for (let frame = 0; left > 0; frame++) {
    const samples = Math.min(left, blockSize);
    for (const byte of silentFrame({ frame, samples, channels, sampleRate })) bytes.push(byte);
    left -= samples;
  }
  return Uint8Array.from(bytes);
}

/** The last metadata block; its lengths are little-endian. */
function commentBlock(comments: readonly string[]): readonly number[] {
  const content = [0, 0, 0, 0, comments.length, 0, 0, 0, ...comments.flatMap((comment) => [comment.length, 0, 0, 0, ...ascii(comment)])];
  return [0x84, 0, ...u16(content.length), ...content];
}

interface SilentFrame {
  readonly frame: number;
  readonly samples: number;
  readonly channels: number;
  readonly sampleRate: keyof typeof RATE_CODES;
}

const RATE_CODES = { 8_000: 4, 44_100: 9, 48_000: 10 } as const;

/** Each frame states its rate and sample size, because the decoder never sees the file's header. */
function silentFrame({ frame, samples, channels, sampleRate }: SilentFrame): readonly number[] {
  const rateCode = RATE_CODES[sampleRate];
  const head = [0xff, 0xf8, 0x70 | rateCode, ((channels - 1) << 4) | 0x08, ...utf8Coded(frame), ...u16(samples - 1)];
  head.push(crc(head, 8, 0x07));
  for (let channel = 0; channel < channels; channel++) head.push(0, 0, 0);
  return [...head, ...u16(crc(head, 16, 0x8005))];
}

const ascii = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
const u16 = (value: number): readonly number[] => [value >>> 8, value & 0xff];

/** A frame number in UTF-8 coding. */
const utf8Coded = (value: number): readonly number[] => [...new TextEncoder().encode(String.fromCodePoint(value))];

function crc(bytes: readonly number[], width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1);
  let rest = 0;
  for (const byte of bytes) {
    rest ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) rest = rest & top ? (rest << 1) ^ polynomial : rest << 1;
    rest &= 2 ** width - 1;
  }
  return rest;
}
