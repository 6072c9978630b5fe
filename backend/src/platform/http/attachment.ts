/** `attachment` with the name in ASCII and, for those who understand it, as it is (RFC 6266); halves of characters become U+FFFD. */
export function attachment(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = filename.replace(/\p{Surrogate}/gu, '\u{fffd}');
  const encoded = encodeURIComponent(whole).replace(/['()*]/g, (letter) => `%${letter.codePointAt(0)?.toString(16).toUpperCase() ?? ''}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
