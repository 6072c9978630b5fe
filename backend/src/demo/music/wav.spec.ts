import { describe, expect, test } from '@jest/globals';
import { parseBuffer } from 'music-metadata';
import { silence } from './dsp/pcm.js';
import { encodeWav16 } from './wav.js';

describe('a WAV file with 16 bits', () => {
  test('has a correct header', async () => {
    const { format } = await parseBuffer(encodeWav16(silence(44_100)), { mimeType: 'audio/wav' });
    expect(format).toMatchObject({ container: 'WAVE', sampleRate: 44_100, numberOfChannels: 2, bitsPerSample: 16, duration: 1 });
  });

  test('stores each sample within one step of dither, left before right', () => {
    const file = encodeWav16({ sampleRate: 44_100, left: Float32Array.of(0.5, -1), right: Float32Array.of(-0.25, 1) });
    const samples = [44, 46, 48, 50].map((offset) => file.readInt16LE(offset));
    for (const [index, ideal] of [16_383.5, -8191.75, -32_767, 32_767].entries()) expect(Math.abs((samples[index] ?? 0) - ideal)).toBeLessThanOrEqual(1.5);
  });

  test('clips values above full scale and never wraps around', () => {
    const file = encodeWav16({ sampleRate: 44_100, left: Float32Array.of(4), right: Float32Array.of(-4) });
    expect([file.readInt16LE(44), file.readInt16LE(46)]).toEqual([32_767, -32_768]);
  });
});
