/** The sample rate of all demo audio. */
export const SAMPLE_RATE = 44_100;

/** Two channels of equal length; full scale is -1 to 1, which intermediate values may exceed. */
export type StereoPcm = { sampleRate: number; left: Float32Array; right: Float32Array };

export const silence = (samples: number): StereoPcm => ({
  sampleRate: SAMPLE_RATE,
  left: new Float32Array(samples),
  right: new Float32Array(samples),
});

export const toSamples = (seconds: number): number => Math.round(seconds * SAMPLE_RATE);

export const fromDecibels = (decibels: number): number => 10 ** (decibels / 20);

export const pitchToHertz = (pitch: number): number => 440 * 2 ** ((pitch - 69) / 12);

/** The factor per sample by which a sound decays to 37 % in the given time. */
export const fadePerSample = (seconds: number): number => Math.exp(-1 / (seconds * SAMPLE_RATE));

/** Gains for the left and right side; hard left still leaves a little on the right. */
export const panGains = (pan: number): [left: number, right: number] => [1 - 0.7 * Math.max(0, pan), 1 + 0.7 * Math.min(0, pan)];

/** Adds to the existing value, because many notes share one track. */
export const addAt = (buffer: Float32Array, index: number, value: number): void => {
  buffer[index] = (buffer[index] ?? 0) + value;
};
