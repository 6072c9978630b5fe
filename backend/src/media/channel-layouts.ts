/** Where loudspeakers stand, in the order of the bits of WAV's channel mask: front, low frequency, back, side and top. */
const SPEAKERS = ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR', 'FLC', 'FRC', 'BC', 'SL', 'SR', 'TC', 'TFL', 'TFC', 'TFR', 'TBL', 'TBC', 'TBR'] as const;
export type Speaker = (typeof SPEAKERS)[number];

/** The loudspeaker of each channel. */
export type Layout = readonly Speaker[];

/** By their count, if a file does not say more: the layouts of FLAC, Vorbis and Opus, and what browsers assume of WAV. */
const BY_COUNT: Readonly<Record<number, Layout>> = {
  1: ['FC'],
  2: ['FL', 'FR'],
  3: ['FL', 'FR', 'FC'],
  4: ['FL', 'FR', 'BL', 'BR'],
  5: ['FL', 'FR', 'FC', 'BL', 'BR'],
  6: ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR'],
  7: ['FL', 'FR', 'FC', 'LFE', 'BC', 'SL', 'SR'],
  8: ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR', 'SL', 'SR'],
};

/** By AAC's channel configuration (ISO/IEC 14496-3, table 1.19), as decoded: the decoder sorts 3 to 6, and knows none above 7. */
const AAC: Readonly<Record<number, Layout>> = {
  1: ['FC'],
  2: ['FL', 'FR'],
  3: ['FL', 'FR', 'FC'],
  4: ['FL', 'FR', 'FC', 'BC'],
  5: ['FL', 'FR', 'FC', 'BL', 'BR'],
  6: ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR'],
  7: ['FC', 'FLC', 'FRC', 'FL', 'FR', 'BL', 'BR', 'LFE'],
};

/** By count, in the order of ALAC's elements (ALACChannelLayoutTag), which the decoder keeps. */
const ALAC: Readonly<Record<number, Layout>> = {
  3: ['FC', 'FL', 'FR'],
  4: ['FC', 'FL', 'FR', 'BC'],
  5: ['FC', 'FL', 'FR', 'BL', 'BR'],
  6: ['FC', 'FL', 'FR', 'BL', 'BR', 'LFE'],
  7: ['FC', 'FL', 'FR', 'SL', 'SR', 'BC', 'LFE'],
  8: ['FC', 'FLC', 'FRC', 'FL', 'FR', 'BL', 'BR', 'LFE'],
};

/** One more than a file may have. */
const TOO_MANY = 9;

/** Counts without a layout of their own get front centres only. Capped, as a header may state any count. */
export const layoutByCount = (channels: number): Layout => BY_COUNT[channels] ?? Array.from({ length: Math.min(channels, TOO_MANY) }, () => 'FC');
export const alacLayout = (channels: number): Layout => ALAC[channels] ?? layoutByCount(channels);
export const aacLayout = (configuration: number): Layout | null => AAC[configuration] ?? null;

/** By WAV's channel mask; one that does not name as many speakers as there are channels says nothing. */
export function layoutByMask(mask: number, channels: number): Layout {
  const named = SPEAKERS.filter((_, bit) => (mask >>> bit) & 1);
  return named.length === channels ? named : layoutByCount(channels);
}

/** Each channel's index in `layout`, in the order of WAV. */
export const waveOrder = (layout: Layout): readonly number[] =>
  layout
    .map((speaker, channel) => ({ bit: SPEAKERS.indexOf(speaker), channel }))
    .toSorted((one, other) => one.bit - other.bit)
    .map(({ channel }) => channel);

/** The same speakers in the order of WAV, which everything after decoding uses. */
export const inWaveOrder = (layout: Layout): Layout => layout.toSorted((one, other) => SPEAKERS.indexOf(one) - SPEAKERS.indexOf(other));

const SURROUND_WEIGHT = 1.41;

/**
 * Weights of ITU-R BS.1770-4 (annex 1, table 4): 1.41 from 60 to 120 degrees, none for low frequencies, 1 elsewhere. The back pair is the surround pair
 * (110 degrees) where there is no pair at the sides.
 */
export function channelWeights(layout: Layout): readonly number[] {
  const hasSides = layout.includes('SL') || layout.includes('SR');
  const surround: Layout = hasSides ? ['SL', 'SR'] : ['BL', 'BR'];
  return layout.map((speaker) => (speaker === 'LFE' ? 0 : surround.includes(speaker) ? SURROUND_WEIGHT : 1));
}
