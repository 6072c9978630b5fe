/** Collects numbers of any width, the highest bit first. */
export interface BitWriter {
  write(width: number, value: number): void;
  /** Fills up the last byte with zeros. */
  align(): void;
  /** Everything written, filled up with zeros to a whole byte. */
  bytes(): Uint8Array;
}

export function createBitWriter(): BitWriter {
  const bits: number[] = [];
  return {
    write(width, value) {
      for (let bit = width - 1; bit >= 0; bit--) bits.push(Math.floor(value / 2 ** bit) & 1);
    },
    align() {
      while (bits.length % 8 > 0) bits.push(0);
    },
    bytes() {
      const bytes = new Uint8Array(Math.ceil(bits.length / 8));
      for (const [at, bit] of bits.entries()) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (7 - (at & 7)));
      return bytes;
    },
  };
}
