import { textAt } from './audio-file.js';

/** The first bytes of audio formats that browsers do not play: WavPack, Monkey's Audio, True Audio, Core Audio, AMR, DSD, Windows Media, and WAV of more than 4 GB. */
const SIGNATURES = ['wvpk', 'MAC ', 'TTA1', 'caff', '#!AM', 'DSD ', 'FRM8', '\x30\x26\xb2\x75', 'RF64', 'BW64'];

/** Whether a file is audio in a format that is not read here. @param head its first bytes */
export const isOtherAudio = (head: Uint8Array): boolean => SIGNATURES.includes(textAt(head, 0, 4)) || isLayer2(head);

/** A frame of MPEG audio layer II: a version and a sample rate that exist, and a bit rate. */
function isLayer2([sync = 0, kind = 0, rates = 0]: Uint8Array): boolean {
  const isKind = (kind & 0xe6) === 0xe4 && (kind & 0x18) !== 0x08;
  const bitRate = rates >> 4;
  return sync === 0xff && isKind && bitRate > 0 && bitRate < 15 && (rates & 0x0c) !== 0x0c;
}
