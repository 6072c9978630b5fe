// Songs as other encoders and multiplexers would have written them: the same frames with other headers.
import { readFileSync } from 'node:fs';

const MP3_FRAME = 576; // 192 kbit/s at 48 kHz
const INFO = 36;
const ENCODER = INFO + 120;
const DELAYS = ENCODER + 21;
const GAPLESS_TAG = ' 00000000 00000840 00000200 000000000057DDC0';

/** @returns {{ name: string, bytes: Buffer }[]} */
export const encoderVariants = (folder) => [
  ...mp3Variants(readFileSync(`${folder}mix-1_0-demo.mp3`)),
  ...aacVariants(readFileSync(`${folder}deprecation.m4a`)),
];

const changed = (bytes, change) => {
  const copy = Buffer.from(bytes);
  return change(copy) ?? copy;
};
const variant = (name, bytes, change) => ({ name, bytes: changed(bytes, change) });

function mp3Variants(song) {
  const [, , , , , , a, b, c, d] = song;
  const at = song.toString('latin1', 0, 3) === 'ID3' ? 10 + ((a << 21) | (b << 14) | (c << 7) | d) : 0;
  const first = song.subarray(at, at + MP3_FRAME);
  const [frames, bytes] = [first.readUInt32BE(INFO + 8), first.readUInt32BE(INFO + 12)];
  return [
    variant('no-header.mp3', song, (copy) => copy.subarray(at + MP3_FRAME)),
    variant('no-encoder.mp3', song, (copy) => void copy.fill(0, at + ENCODER, at + MP3_FRAME)),
    variant('other-encoder.mp3', song, (copy) => void copy.write('GOGO', at + ENCODER)),
    variant('no-padding.mp3', song, (copy) => void copy.writeUIntBE(0, at + DELAYS, 3)),
    variant('other-padding.mp3', song, (copy) => void copy.writeUIntBE((1_105 << 12) | 600, at + DELAYS, 3)),
    variant('cut-in-the-middle.mp3', song, (copy) => copy.subarray(Math.floor(copy.length / 3))),
    variant('vbri.mp3', song, (copy) => {
      copy.fill(0, at + INFO, at + MP3_FRAME).write('VBRI', at + INFO);
      copy.writeUInt16BE(1, at + INFO + 4);
      copy.writeUInt32BE(bytes, at + INFO + 10);
      copy.writeUInt32BE(frames, at + INFO + 14);
    }),
  ];
}

/** The content of the first box on a path, as [from, to). */
function boxAt(bytes, ...path) {
  let [from, to] = [0, bytes.length];
  for (const type of path) {
    while (from < to && bytes.toString('latin1', from + 4, from + 8) !== type) from += bytes.readUInt32BE(from);
    [from, to] = [from + 8, from + bytes.readUInt32BE(from)];
  }
  return [from, to];
}

const box = (type, ...content) => {
  const header = Buffer.alloc(8);
  const whole = Buffer.concat([header, ...content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))]);
  whole.writeUInt32BE(whole.length);
  whole.write(type, 4);
  return whole;
};

const STBL = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

/** Puts a box at the end of the index, which moves the music. */
function withIndexed(song, added) {
  const [from, to] = boxAt(song, 'moov');
  const copy = Buffer.concat([song.subarray(0, to), added, song.subarray(to)]);
  copy.writeUInt32BE(to - from + 8 + added.length, from - 8);
  const [chunks, end] = boxAt(copy, ...STBL, 'stco');
  for (let at = chunks + 8; at < end; at += 4) copy.writeUInt32BE(copy.readUInt32BE(at) + added.length, at);
  return copy;
}

function itunesTag() {
  const none = Buffer.alloc(4);
  const text = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]);
  const tag = box('----', box('mean', none, 'com.apple.iTunes'), box('name', none, 'iTunSMPB'), box('data', text, GAPLESS_TAG));
  return box('udta', box('meta', none, box('hdlr', Buffer.alloc(8), 'mdirappl', Buffer.alloc(9)), box('ilst', tag)));
}

function aacVariants(song) {
  const [edits] = boxAt(song, 'moov', 'trak', 'edts');
  const start = boxAt(song, 'moov', 'trak', 'edts', 'elst')[0] + 12;
  const withoutEdits = changed(song, (copy) => void copy.write('free', edits - 4));
  const ownTags = withoutEdits.indexOf('udta');
  return [
    { name: 'no-edit-list.m4a', bytes: withoutEdits },
    variant('edit-at-0.m4a', song, (copy) => void copy.writeInt32BE(0, start)),
    variant('edit-at-2112.m4a', song, (copy) => void copy.writeInt32BE(2_112, start)),
    { name: 'itunes-tag.m4a', bytes: withIndexed(ownTags < 0 ? withoutEdits : changed(withoutEdits, (copy) => void copy.write('free', ownTags)), itunesTag()) },
    { name: 'adts.aac', bytes: adts(song) },
  ];
}

/** The frames of an MP4 with ADTS headers: AAC-LC, 48 kHz, stereo. */
function adts(song) {
  const table = (type, width) => {
    const [from, to] = boxAt(song, ...STBL, type);
    const head = type === 'stsz' ? 12 : 8;
    return Array.from({ length: Math.floor((to - from - head) / width) }, (_, entry) => from + head + entry * width);
  };
  const sizes = table('stsz', 4).map((at) => song.readUInt32BE(at));
  const runs = table('stsc', 12).map((at) => ({ first: song.readUInt32BE(at), frames: song.readUInt32BE(at + 4) }));
  const parts = [];
  for (const [index, entry] of table('stco', 4).entries()) {
    let at = song.readUInt32BE(entry);
    const { frames } = runs.findLast(({ first }) => first <= index + 1);
    for (const size of sizes.splice(0, frames)) {
      const length = size + 7;
      parts.push(Buffer.from([0xff, 0xf1, 0x4c, 0x80 | (length >>> 11), (length >>> 3) & 255, ((length & 7) << 5) | 0x1f, 0xfc]), song.subarray(at, at + size));
      at += size;
    }
  }
  return Buffer.concat(parts);
}
