import type { PlayedPart } from './audio-format.js';
import { boxAt, boxesIn, isAudioTrack, type Content } from './mp4-boxes.js';

/**
 * The part of the first audio track that players play: its edit (ISO/IEC 14496-12, 8.6.6), else the part in iTunes' gapless tag, else all of it.
 * Its length is null in a fragmented file. Null if the index is incomplete, or if there are several edits.
 * @param moov the index, header included
 * @param gapless the text of the tag iTunSMPB: hexadecimal numbers, the second is the samples before the first audible one, the fourth their count
 */
export function playedPart(moov: Uint8Array, gapless: string | null, sampleRate: number): PlayedPart | null {
  const index = { bytes: moov.subarray(8) };
  const track = boxesIn(index.bytes, 'trak').find(isAudioTrack);
  const header = track && boxAt(track, 'mdia', 'mdhd');
  const media = header && timesIn(header);
  if (!track || !media) return null;
  const [edit, ...more] = editsIn(boxAt(track, 'edts', 'elst'));
  if (more.length > 0) return null;
  const whole = media.duration === 0 ? null : media.duration / media.timescale;
  const tag = gapless === null ? null : gaplessPart(gapless, sampleRate);
  if (!edit) return tag ?? { start: 0, length: whole };
  const start = edit.mediaTime / media.timescale;
  const movie = boxAt(index, 'mvhd');
  const { timescale } = (movie && timesIn(movie)) ?? media;
  // Encoders round the duration down to the movie's timescale; 0 means unknown.
  const stated = edit.duration === 0 ? Infinity : (edit.duration + (timescale < media.timescale ? 1 : 0)) / timescale;
  const length = Math.min(whole === null ? Infinity : whole - start, stated);
  return { start, length: length === Infinity ? null : Math.max(0, length) };
}

function gaplessPart(tag: string, sampleRate: number): PlayedPart | null {
  const [, priming = NaN, , count = NaN] = tag
    .trim()
    .split(/\s+/)
    .map((field) => Number.parseInt(field, 16));
  return priming >= 0 && count > 0 ? { start: priming / sampleRate, length: count / sampleRate } : null;
}

/** Of a movie header or a media header, in units of `timescale` per second. */
function timesIn({ bytes, view }: Content): { readonly timescale: number; readonly duration: number } | null {
  const isLong = view.byteLength > 0 && view.getUint8(0) === 1;
  if (bytes.length < (isLong ? 32 : 20)) return null;
  const timescale = view.getUint32(isLong ? 20 : 12);
  return timescale === 0 ? null : { timescale, duration: isLong ? Number(view.getBigUint64(24)) : view.getUint32(16) };
}

/** The edits that play media; the others are empty edits (silence). */
function editsIn(list: Content | undefined): readonly { readonly duration: number; readonly mediaTime: number }[] {
  if (list === undefined || list.bytes.length < 8) return [];
  const { bytes, view } = list;
  const isLong = view.getUint8(0) === 1;
  const size = isLong ? 20 : 12;
  const count = Math.min(view.getUint32(4), Math.floor((bytes.length - 8) / size));
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * size;
    return isLong
      ? { duration: Number(view.getBigUint64(at)), mediaTime: Number(view.getBigInt64(at + 8)) }
      : { duration: view.getUint32(at), mediaTime: view.getInt32(at + 4) };
  }).filter(({ mediaTime }) => mediaTime >= 0);
}
