interface InfoHeader {
  readonly frames?: number;
  readonly bytes?: number;
  /** The name of the encoder, 9 characters, and how many samples it added before and after the music. */
  readonly added?: { readonly encoder: string; readonly before: number; readonly after: number };
}

/** A generated MP3 file of silence: MPEG 1 layer III, 44.1 kHz, stereo, 128 kbit/s, 1,152 samples a frame. */
export interface SilentMp3 {
  readonly frames: number;
  /** Adds an Info header in a frame of its own; omitted counts are left out of it. */
  readonly info?: InfoHeader;
  /** The frame with a click at its beginning. */
  readonly clickIn?: number;
  readonly isMono?: boolean;
  /** Length of an ID3v2 tag before the first frame. */
  readonly tagBytes?: number;
}

export const SILENT_MP3_FRAME_BYTES = 417;

/** An MP3 file of digital silence, except for the click. */
export function silentMp3({ frames, info, clickIn, isMono = false, tagBytes = 0 }: SilentMp3): Uint8Array {
  const music = Array.from({ length: frames }, (_, at) => (at === clickIn ? clickingFrame() : silentFrame(isMono)));
  const parts = [...(tagBytes > 0 ? [id3Tag(tagBytes)] : []), ...(info ? [infoFrame(info)] : []), ...music];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** An MP3 with a VBRI header, as Fraunhofer's encoder writes it; without counts, they are 0. */
export function vbriMp3({ hasCounts = true, ...options }: Pick<SilentMp3, 'frames' | 'clickIn'> & { readonly hasCounts?: boolean }): Uint8Array {
  const header = silentFrame();
  const view = new DataView(header.buffer);
  header.set(new TextEncoder().encode('VBRI'), 36);
  view.setUint16(40, 1);
  view.setUint32(46, hasCounts ? (options.frames + 1) * SILENT_MP3_FRAME_BYTES : 0);
  view.setUint32(50, hasCounts ? options.frames : 0);
  const music = silentMp3(options);
  return Uint8Array.from([...header, ...music]);
}

/** AAC in ADTS: frames of digital silence, 48 kHz, mono, 1,024 samples each. */
export function silentAdts(frames: number): Uint8Array {
  const data = [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80];
  return Uint8Array.from(Array.from({ length: frames }, () => [0xff, 0xf1, 0x4c, 0x40, 0x01, 0xbf, 0xfc, ...data]).flat());
}

/** ADTS headers of AAC frames without audio data, enough for a probe. */
export function adtsHeaders(frames: number): Uint8Array {
  return Uint8Array.from(Array.from({ length: frames }, () => [0xff, 0xf1, 0x4c, 0x80, 0x01, 0x7f, 0xfc, 0, 0, 0, 0]).flat());
}

function silentFrame(isMono = false): Uint8Array {
  const frame = new Uint8Array(SILENT_MP3_FRAME_BYTES);
  frame.set([0xff, 0xfb, 0x90, isMono ? 0xc4 : 0x04]);
  return frame;
}

/** Four equal spectral lines in the first granule of both channels, which are all zeros in the bits after the side information. */
function clickingFrame(): Uint8Array {
  const frame = silentFrame();
  const write = (from: number, length: number, value: number): void => {
    for (let bit = 0; bit < length; bit++) {
      const at = 32 + from + bit;
      if ((value >>> (length - 1 - bit)) & 1) frame[at >> 3] = (frame[at >> 3] ?? 0) | (0x80 >> (at & 7));
    }
  };
  for (const channel of [20, 79]) {
    write(channel, 12, 8); // part2_3_length
    write(channel + 21, 8, 200); // global_gain
    write(channel + 58, 1, 1); // count1table_select
  }
  return frame;
}

function infoFrame({ frames, bytes, added }: InfoHeader): Uint8Array {
  const frame = silentFrame();
  const view = new DataView(frame.buffer);
  frame.set(new TextEncoder().encode('Info'), 36);
  view.setUint32(40, (frames === undefined ? 0 : 1) | (bytes === undefined ? 0 : 2));
  let at = 44;
  for (const count of [frames, bytes]) {
    if (count === undefined) continue;
    view.setUint32(at, count);
    at += 4;
  }
  if (added) {
    frame.set(new TextEncoder().encode(added.encoder), at);
    view.setUint32(at + 20, (added.before << 12) | added.after);
  }
  return frame;
}

function id3Tag(bytes: number): Uint8Array {
  const tag = new Uint8Array(10 + bytes);
  tag.set(new TextEncoder().encode('ID3'));
  tag.set([4, 0, 0, (bytes >>> 21) & 127, (bytes >>> 14) & 127, (bytes >>> 7) & 127, bytes & 127], 3);
  return tag;
}
