import { fileNameIn } from '@roughmix/contracts/shared/file-name.js';

/** A `Content-Disposition` header (RFC 6266): the name of a file as {@link fileNameIn} has it, in ASCII and, for clients that support `filename*`, in UTF-8. Lone surrogates become U+FFFD. */
export const attachment = (filename: string): string => `attachment; ${filenames(filename)}`;

/** Like {@link attachment}, for a file that browsers display. The name is suggested when the user saves it. */
export const inline = (filename: string): string => `inline; ${filenames(filename)}`;

function filenames(sent: string): string {
  const filename = fileNameIn(sent);
  const ascii = filename.replace(/[^\x20-\x7e]|["%]/g, '_');
  const wellFormed = filename.replace(/\p{Surrogate}/gu, '\u{fffd}');
  const encoded = encodeURIComponent(wellFormed).replace(/['()*]/g, (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase() ?? ''}`);
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
