import { textAt, viewOf } from './audio-file.js';

/** The content of a box (ISO/IEC 14496-12, 4.2), without its header. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** The boxes of a type, one level deep; stops where their lengths are impossible. */
export function boxesIn(bytes: Uint8Array, type: string): readonly Content[] {
  const found: Content[] = [];
  const view = viewOf(bytes);
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = view.getUint32(at) || bytes.length - at;
    if (length < 8) break;
    const content = bytes.subarray(at + 8, at + length);
    if (textAt(bytes, at + 4, 4) === type) found.push({ bytes: content, view: viewOf(content) });
    at += length;
  }
  return found;
}

/** The first box at the end of a path of types. */
export const boxAt = ({ bytes }: Pick<Content, 'bytes'>, type: string, ...inner: readonly string[]): Content | undefined => {
  const [first] = boxesIn(bytes, type);
  const [next, ...rest] = inner;
  return first === undefined || next === undefined ? first : boxAt(first, next, ...rest);
};

/** Of a `trak` box. */
export const isAudioTrack = (track: Content): boolean => handlerOf(track) === 'soun';
export const isVideoTrack = (track: Content): boolean => handlerOf(track) === 'vide';

function handlerOf(track: Content): string {
  const handler = boxAt(track, 'mdia', 'hdlr');
  return handler === undefined ? '' : textAt(handler.bytes, 8, 4);
}
