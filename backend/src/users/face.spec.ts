import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { defaultFaceSvg, faceSvg } from './face.js';

const uids = Array.from({ length: 200 }, (_, index) => `3f2a${index.toString(16).padStart(4, '0')}-77b1-4c0e-9a51-0d6f1e5c8b2a`);

// The program disables image loaders it does not need; this spec needs SVG, to check that a face can be drawn.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

describe('the face drawn from a uid', () => {
  test('is the same for the same uid', () => {
    expect(faceSvg('ana')).toBe(faceSvg('ana'));
  });

  test('differs from user to user: 200 uids give at least 150 faces', () => {
    expect(new Set(uids.map(faceSvg)).size).toBeGreaterThanOrEqual(150);
  });

  test('contains no text, no scripts and no references', () => {
    for (const svg of [...uids.map(faceSvg), defaultFaceSvg()]) {
      expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"')).toBe(true);
      expect(svg).not.toMatch(/<(text|script|image|use|style|foreignObject)|href|url\(|\son\w+=|undefined|NaN/);
      expect(Buffer.byteLength(svg)).toBeLessThan(3000);
    }
  });

  test('is well-formed and can be drawn for any uid', async () => {
    for (const uid of [...uids.slice(0, 24), '', '"><script>', '\u{1f600}']) {
      const drawn = await sharp(Buffer.from(faceSvg(uid))).metadata();
      expect([drawn.format, drawn.width, drawn.height]).toEqual(['svg', 64, 64]);
    }
  });

  test('has a neutral version for unknown and removed users', async () => {
    const drawn = await sharp(Buffer.from(defaultFaceSvg())).metadata();
    expect([drawn.format, drawn.width, drawn.height]).toEqual(['svg', 64, 64]);
  });
});
