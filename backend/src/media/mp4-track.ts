import { type AacConfig, readAacConfig } from './aac-config.js';
import { noCopy, notAudio } from './audio-format.js';
import { textAt, viewOf } from './audio-file.js';
import { alacLayout, type Layout, layoutByCount } from './channel-layouts.js';
import { boxAt, boxesIn, isAudioTrack, type Content } from './mp4-boxes.js';
import { flacLayout, readStreamInfo } from './probe-flac.js';

/** The first audio track of an MP4 or QuickTime file. */
export interface Mp4Track {
  readonly box: Content;
  readonly codec: 'aac' | 'alac' | 'opus' | 'flac' | 'mp3';
  readonly sampleRate: number;
  /** In the decoder's order. */
  readonly layout: Layout;
  readonly aac: { readonly config: AacConfig; readonly bytes: Uint8Array } | null;
  /** Of ALAC. */
  readonly sampleBits?: number;
}

interface SampleEntry {
  readonly type: string;
  /** What the entry says of the samples. Writers leave template values where the codec's own configuration says it. */
  readonly sampleRate: number;
  readonly channels: number;
  /** The first box of the type, which QuickTime puts into a `wave` box. */
  readonly box: (type: string) => Content | undefined;
}

const AAC_OBJECTS = new Set([0x40, 0x66, 0x67, 0x68]);
const MP3_OBJECTS = new Set([0x69, 0x6b]);
const OPUS_RATE = 48_000;

/** @throws AudioRefused without an audio track, or for one in another codec; RangeError if its configuration is incomplete */
export function readTrack(moov: Uint8Array): Mp4Track {
  const box = boxesIn(moov.subarray(8), 'trak').find(isAudioTrack);
  const entry = box && readSampleEntry(box);
  if (!entry) throw notAudio();
  const coded = readCodec(entry);
  if (!coded) throw noCopy();
  return { box, aac: null, ...coded };
}

function readSampleEntry(track: Content): SampleEntry | null {
  const description = boxAt(track, 'mdia', 'minf', 'stbl', 'stsd');
  if (!description || description.bytes.length < 8 + 8 + 28) return null;
  const { bytes, view } = description;
  const content = bytes.subarray(16, 8 + view.getUint32(8));
  const entry = viewOf(content);
  const version = entry.getUint16(8);
  // QuickTime's versions 1 and 2 have longer entries.
  const boxes = { bytes: content.subarray(version === 2 ? entry.getUint32(28) - 8 : version === 1 ? 44 : 28) };
  return {
    type: textAt(bytes, 12, 4),
    sampleRate: version === 2 ? entry.getFloat64(32) : entry.getUint16(24),
    channels: version === 2 ? entry.getUint32(40) : entry.getUint16(16),
    box: (type) => boxAt(boxes, type) ?? boxAt(boxes, 'wave', type),
  };
}

type Coded = Pick<Mp4Track, 'codec' | 'sampleRate' | 'layout'> & Partial<Pick<Mp4Track, 'aac' | 'sampleBits'>>;

function readCodec(entry: SampleEntry): Coded | null {
  const { sampleRate, channels } = entry;
  const box = (type: string): Content => {
    const found = entry.box(type);
    if (!found) throw notAudio();
    return found;
  };
  switch (entry.type) {
    case 'mp4a':
      return readMpeg4(box('esds').bytes, entry);
    case '.mp3':
      return { codec: 'mp3', sampleRate, layout: layoutByCount(channels) };
    case 'alac': {
      // After the version, an ALACSpecificConfig.
      const { view } = box('alac');
      return { codec: 'alac', sampleRate: view.getUint32(4 + 20), layout: alacLayout(view.getUint8(4 + 9)), sampleBits: view.getUint8(4 + 5) };
    }
    case 'Opus':
      return { codec: 'opus', sampleRate: OPUS_RATE, layout: layoutByCount(box('dOps').view.getUint8(1)) };
    case 'fLaC': {
      // After the version and the header of the first block.
      const { bytes } = box('dfLa');
      const info = readStreamInfo(bytes.subarray(8));
      return { codec: 'flac', sampleRate: info.sampleRate, layout: flacLayout(info, bytes) };
    }
    default:
      return null;
  }
}

function readMpeg4(esds: Uint8Array, { sampleRate, channels }: SampleEntry): Coded | null {
  const { objectType, bytes } = readDescriptors(esds);
  if (MP3_OBJECTS.has(objectType)) return { codec: 'mp3', sampleRate, layout: layoutByCount(channels) };
  if (!AAC_OBJECTS.has(objectType)) return null;
  const config = readAacConfig(bytes);
  return config.layout && { codec: 'aac', sampleRate: config.playedRate, layout: config.layout, aac: { config, bytes } };
}

/** The object type and the decoder's configuration from an `esds` box (ISO/IEC 14496-1, 7.2.6). */
function readDescriptors(esds: Uint8Array): { readonly objectType: number; readonly bytes: Uint8Array } {
  const view = viewOf(esds);
  let objectType = 0;
  for (let at = 4; at + 2 <= esds.length;) {
    const tag = view.getUint8(at++);
    let length = 0;
    let byte = 0;
    do {
      byte = view.getUint8(at++);
      length = (length << 7) | (byte & 0x7f);
    } while (byte & 0x80);
    if (tag === 5) return { objectType, bytes: esds.subarray(at, at + length) };
    if (tag === 4) objectType = view.getUint8(at);
    // Descriptors 3 and 4 contain the others, after 3 and 13 bytes of their own.
    at += tag === 3 ? 3 : tag === 4 ? 13 : length;
  }
  return { objectType, bytes: new Uint8Array(0) };
}
