const HEADER = 44;
const EXTENSION = 24;
/** The rest of a subformat's identifier, after the tag. */
const SUBFORMAT = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];

/** The WAV file with a WAVE_FORMAT_EXTENSIBLE header, whose samples have fewer valid bits than their containers. @param plain a file with a 44-byte header */
export function extensibleWav(plain: Uint8Array, validBits: number): Uint8Array {
  const bytes = new Uint8Array(plain.length + EXTENSION);
  bytes.set(plain.subarray(0, 36));
  bytes.set(plain.subarray(36), 36 + EXTENSION);
  const [from, view] = [new DataView(plain.buffer, plain.byteOffset), new DataView(bytes.buffer)];
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(16, 16 + EXTENSION, true);
  view.setUint16(20, 0xfffe, true);
  view.setUint16(36, EXTENSION - 2, true);
  view.setUint16(38, validBits, true);
  view.setUint16(HEADER, from.getUint16(20, true), true);
  bytes.set(SUBFORMAT, HEADER + 2);
  return bytes;
}
