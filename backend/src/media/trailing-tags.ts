import { textAt, upTo, viewOf, type AudioFile } from './audio-file.js';

const ID3V1_BYTES = 128;
const APE_FOOTER_BYTES = 32;
const APE_HAS_HEADER = 0x80000000;
/** ID3v1 and APE, in either order, and one of them twice. */
const MAX_TAGS = 3;

/** The file without ID3v1 and APE tags at its end, which its decoder would take for a damaged frame. */
export async function withoutTrailingTags(file: AudioFile): Promise<AudioFile> {
  let end = file.size;
  for (let count = 0; count < MAX_TAGS; count++) {
    const length = await tagBefore(file, end);
    end -= length;
  }
  return end === file.size ? file : upTo(file, end);
}

/** The length of the tag that ends there; 0 without one. */
async function tagBefore(file: AudioFile, end: number): Promise<number> {
  const tail = await file.read(Math.max(0, end - ID3V1_BYTES), Math.min(end, ID3V1_BYTES));
  if (tail.length === ID3V1_BYTES && textAt(tail, 0, 3) === 'TAG') return ID3V1_BYTES;
  const footer = tail.subarray(-APE_FOOTER_BYTES);
  if (footer.length < APE_FOOTER_BYTES || textAt(footer, 0, 8) !== 'APETAGEX') return 0;
  const view = viewOf(footer);
  const length = view.getUint32(12, true) + (view.getUint32(20, true) & APE_HAS_HEADER ? APE_FOOTER_BYTES : 0);
  return length <= end ? length : 0;
}
