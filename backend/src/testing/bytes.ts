/** UTF-8. */
export const text = (content: string): Uint8Array => new TextEncoder().encode(content);

export const concat = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

/** A copy of the bytes, changed by `patch`. */
export const patched = (bytes: Uint8Array, patch: (view: DataView) => void): Uint8Array => {
  const copy = bytes.slice();
  patch(new DataView(copy.buffer));
  return copy;
};
