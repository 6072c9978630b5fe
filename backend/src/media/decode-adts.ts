import type { DecodedPiece } from './decode-audio.js';
import { ADTS_HEADER_BYTES, adtsPayload, frameAt } from './mpeg-frames.js';

/** Decodes the frames of an ADTS stream by a configuration of our own: by its headers alone, the decoder would play cores up to 24 kHz at twice their rate. */
export async function* decodeAdts(bytes: AsyncIterable<Uint8Array>, config: Uint8Array): AsyncGenerator<DecodedPiece> {
  // Loaded on demand, as the other decoders are.
  const { decoder } = await import('@audio/decode-aac');
  const aac = await decoder({ asc: config });
  try {
    for await (const frames of adtsFrames(bytes)) {
      const piece = aac.decode([...frames]);
      if (piece.channelData.length > 0) yield piece;
    }
  } finally {
    aac.free();
  }
}

/** The frames that end in each piece, without their headers. */
async function* adtsFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Uint8Array[]> {
  let held: Uint8Array = new Uint8Array(0);
  for await (const piece of bytes) {
    const joined = Buffer.concat([held, piece]);
    const frames: Uint8Array[] = [];
    let at = 0;
    while (at + ADTS_HEADER_BYTES <= joined.length) {
      const frame = frameAt(joined, at);
      if (frame?.kind !== 'aac') {
        at += 1;
        continue;
      }
      if (at + frame.length > joined.length) break;
      frames.push(adtsPayload(joined, at, frame));
      at += frame.length;
    }
    held = joined.subarray(at);
    if (frames.length > 0) yield frames;
  }
}
