import { createBitReader, type BitReader } from './bit-reader.js';
import { aacLayout, layoutByCount, type Layout, type Speaker } from './channel-layouts.js';

/** AAC's AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
export interface AacConfig {
  /** In Hz. With SBR, players play at twice this rate. */
  readonly coreRate: number;
  /** Samples of the core per frame and channel. */
  readonly frameSamples: number;
  /** Of what is played, in the decoder's order; null for channels that the decoder does not know. */
  readonly layout: Layout | null;
  /** In Hz, with SBR if the configuration states it. */
  readonly playedRate: number;
  /** Whether SBR is stated or ruled out. If neither, the frames may still contain it. */
  readonly statesSbr: boolean;
  /** Whether the object type is parametric stereo. */
  readonly hasParametricStereo: boolean;
}

export const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];
const LC = 2;
const SBR = 5;
const PS = 29;
const BSAC = 22;
/** The element's identifier. */
const PROGRAM_CONFIG = 5;
const SBR_SYNC = 0x2b7;
/** Signals LC without SBR behind any short configuration. Otherwise the decoder assumes SBR up to 24 kHz and plays at twice the rate. */
export const NO_SBR = Uint8Array.of(SBR_SYNC >> 3, ((SBR_SYNC & 7) << 5) | SBR, 0);

/** @throws RangeError if it is too short */
export function readAacConfig(bytes: Uint8Array): AacConfig {
  const bits = createBitReader(bytes);
  const stated = readObjectType(bits);
  const coreRate = readRate(bits);
  const configuration = bits.read(4);
  const isExtended = stated === SBR || stated === PS;
  let playedRate = isExtended ? readRate(bits) : coreRate;
  if (isExtended && readObjectType(bits) === BSAC) bits.read(4);
  const frameSamples = bits.read(1) === 1 ? 960 : 1_024;
  if (bits.read(1) === 1) bits.read(14);
  bits.read(1);
  const coded = configuration === 0 ? readProgramLayout(bits) : aacLayout(configuration);
  const isSynced = !isExtended && configuration !== 0 && bits.left() >= 17 && bits.read(11) === SBR_SYNC;
  if (isSynced && readObjectType(bits) === SBR && bits.read(1) === 1) playedRate = readRate(bits);
  // Players play a mono core with SBR in stereo, as its frames may hold parametric stereo.
  const layout = coded?.length === 1 && playedRate > coreRate ? layoutByCount(2) : coded;
  return { coreRate, frameSamples, layout, playedRate, statesSbr: isExtended || isSynced, hasParametricStereo: stated === PS };
}

/** The layout of a stream whose headers leave it to its first frame. Null if that does not state it. */
export function layoutInFrame(frame: Uint8Array): Layout | null {
  const bits = createBitReader(frame);
  return bits.read(3) === PROGRAM_CONFIG ? readProgramLayout(bits) : null;
}

/** A configuration with parametric stereo as one with SBR only. Their object types differ in the first two bits. */
export const withoutParametricStereo = (config: Uint8Array): Uint8Array => Uint8Array.from(config, (byte, at) => (at === 0 ? byte & 0x3f : byte));

/** The configuration of AAC in ADTS, which can only state the core. */
export function adtsConfig(coreRate: number, configuration: number): Uint8Array {
  const rate = AAC_RATES.indexOf(coreRate);
  return Uint8Array.of((LC << 3) | (rate >> 1), ((rate & 1) << 7) | (configuration << 3), ...NO_SBR);
}

function readObjectType(bits: BitReader): number {
  const type = bits.read(5);
  return type === 31 ? 32 + bits.read(6) : type;
}

function readRate(bits: BitReader): number {
  const index = bits.read(4);
  return index === 15 ? bits.read(24) : (AAC_RATES[index] ?? 0);
}

/** The elements of a program_config_element (4.4.1.1), in the order in which they are coded. */
function readProgramLayout(bits: BitReader): Layout {
  bits.read(4 + 2 + 4);
  const [front, side, back] = [bits.read(4), bits.read(4), bits.read(4)];
  const [low, data, coupling] = [bits.read(2), bits.read(3), bits.read(4)];
  for (const width of [4, 4, 3]) if (bits.read(1) === 1) bits.read(width);
  const pairs = (count: number): readonly boolean[] =>
    Array.from({ length: count }, () => {
      const isPair = bits.read(1) === 1;
      bits.read(4);
      return isPair;
    });
  const layout = [...frontSpeakers(pairs(front)), ...spread(pairs(side), ['SL', 'SR'], 'SL'), ...spread(pairs(back), ['BL', 'BR'], 'BC')];
  bits.read(low * 4 + data * 4);
  bits.read(coupling * 5);
  return [...layout, ...Array.from({ length: low }, (): Speaker => 'LFE')];
}

/** Pairs are coded from the inside out. */
function frontSpeakers(pairs: readonly boolean[]): Layout {
  const count = pairs.filter(Boolean).length;
  let seen = 0;
  return pairs.flatMap((isPair): Layout => {
    if (!isPair) return ['FC'];
    seen += 1;
    return seen < count ? ['FLC', 'FRC'] : ['FL', 'FR'];
  });
}

const spread = (pairs: readonly boolean[], pair: Layout, single: Speaker): Layout => pairs.flatMap((isPair) => (isPair ? pair : [single]));
