/** A generated MP3 file of silence: MPEG 1 layer III, 44.1 kHz, stereo, 128 kbit/s, 1,152 samples a frame. */
export interface SilentMp3 {
  readonly frames: number;
  /** Adds an Info header in a frame of its own; omitted counts are left out of it. */
  readonly info?: { readonly frames?: number; readonly bytes?: number };
  /** Length of an ID3v2 tag before the first frame. */
  readonly tagBytes?: number;
}

export const SILENT_MP3_FRAME_BYTES = 417;

/** A whole MP3 file of digital silence. */
export function silentMp3({ frames, info, tagBytes = 0 }: SilentMp3): Uint8Array {
  const parts = [...(tagBytes > 0 ? [id3Tag(tagBytes)] : []), ...(info ? [infoFrame(info)] : []), ...Array.from({ length: frames }, silentFrame)];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** ADTS headers of AAC frames without audio data, enough for a probe. */
export function adtsHeaders(frames: number): Uint8Array {
  return Uint8Array.from(Array.from({ length: frames }, () => [0xff, 0xf1, 0x4c, 0x80, 0x01, 0x7f, 0xfc, 0, 0, 0, 0]).flat());
}

function silentFrame(): Uint8Array {
  const frame = new Uint8Array(SILENT_MP3_FRAME_BYTES);
  frame.set([0xff, 0xfb, 0x90, 0x04]);
  return frame;
}

function infoFrame({ frames, bytes }: { readonly frames?: number; readonly bytes?: number }): Uint8Array {
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
  return frame;
}

function id3Tag(bytes: number): Uint8Array {
  const tag = new Uint8Array(10 + bytes);
  tag.set(new TextEncoder().encode('ID3'));
  tag.set([4, 0, 0, (bytes >>> 21) & 127, (bytes >>> 14) & 127, (bytes >>> 7) & 127, bytes & 127], 3);
  return tag;
}
