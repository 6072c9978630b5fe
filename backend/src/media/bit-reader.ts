/** Reads numbers of any width from bytes, the highest bit first. */
export interface BitReader {
  /** Bits left. */
  left(): number;
  /** @throws RangeError past the end */
  read(bits: number): number;
}

export function createBitReader(bytes: Uint8Array): BitReader {
  let at = 0;
  const left = (): number => bytes.length * 8 - at;
  return {
    left,
    read(bits) {
      if (bits > left()) throw new RangeError('past the last bit');
      let value = 0;
      for (let count = 0; count < bits; count++, at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
      return value;
    },
  };
}
