import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';

const LONGEST_TAIL_BYTES = 120;

/** A file name as the last part of a key: no path, control characters, invalid characters or leading dots; at most 120 bytes, extension included. */
export function sanitisedName(filename: string): string {
  const base = (filename.split(/[\\/]/).at(-1) ?? '').normalize('NFC');
  const plain = base
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu, '')
    .replace(/["*:<>?|%#]/g, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  const dot = plain.lastIndexOf('.');
  const ending = dot > 0 && plain.length - dot <= 8 ? plain.slice(dot) : '';
  let stem = ending === '' ? plain : plain.slice(0, dot);
  const bytes = new TextEncoder();
  while (bytes.encode(stem + ending).length > LONGEST_TAIL_BYTES) stem = Array.from(stem).slice(0, -1).join('');
  return stem + ending || 'audio';
}

/** The storage key of a version's file, as in the spec. A replacement's key contains its upload id, so it never overwrites the previous file. */
export function audioKey(file: {
  readonly ownerUid: Uid;
  readonly projectId: Id;
  readonly versionId: Id;
  readonly number: { readonly major: number; readonly minor: number };
  readonly filename: string;
  readonly upload?: Id;
}): string {
  const folder = file.upload === undefined ? file.versionId : `${file.versionId}/${file.upload}`;
  return `${file.ownerUid}/ProjectMediaFiles/${file.projectId}/${folder}/${file.number.major}_${file.number.minor}-${sanitisedName(file.filename)}`;
}
