import { describe, expect, test } from '@jest/globals';
import type { Refused } from '../kernel/refusal.js';
import type { Area, Size } from '../platform/images/images.js';
import { coverArea, photoArea } from './picture-crop.js';

type Rectangle = readonly [x: number, y: number, width: number, height: number];
const area = ([x, y, width, height]: Rectangle): Area => ({ x, y, width, height });
const image = (width: number, height: number): Size => ({ width, height });
const codeOf = (crop: () => Area): string => {
  try {
    return JSON.stringify(crop());
  } catch (error) {
    return (error as Refused).code;
  }
};

describe('without a crop', () => {
  test.each<[size: [number, number], photo: Rectangle, cover: Rectangle]>([
    [
      [400, 300],
      [50, 0, 300, 300],
      [0, 83, 400, 133],
    ],
    [
      [300, 400],
      [0, 50, 300, 300],
      [0, 150, 300, 100],
    ],
    [
      [2_000, 300],
      [850, 0, 300, 300],
      [550, 0, 900, 300],
    ],
    [
      [1, 1],
      [0, 0, 1, 1],
      [0, 0, 1, 1],
    ],
  ])('of %j the largest centred square or 3:1 is taken', ([width, height], photo, cover) => {
    expect(photoArea(image(width, height), undefined)).toEqual(area(photo));
    expect(coverArea(image(width, height), undefined)).toEqual(area(cover));
  });
});

describe('a crop', () => {
  test.each<[crop: Rectangle]>([[[0, 0, 300, 300]], [[100, 0, 300, 300]], [[399, 299, 1, 1]]])('of %j is taken', (crop) => {
    expect(photoArea(image(400, 300), area(crop))).toEqual(area(crop));
  });

  test.each<[what: string, crop: Rectangle]>([
    ['to the left', [-1, 0, 100, 100]],
    ['above', [0, -1, 100, 100]],
    ['to the right', [301, 0, 100, 100]],
    ['below', [0, 201, 100, 100]],
    ['larger than the image', [0, 0, 401, 401]],
    ['of no size', [0, 0, 0, 0]],
    ['of less than a pixel', [0, 0, 0.4, 0.4]],
    ['of parts of pixels', [0, 0, 99.7, 99.7]],
    ['at a part of a pixel', [10.4, 20, 100, 100]],
    ['of a negative size', [50, 50, -20, -20]],
  ])('%s is refused', (_what, crop) => {
    for (const areaOf of [photoArea, coverArea]) expect(codeOf(() => areaOf(image(400, 300), area(crop)))).toBe('photo.crop');
  });

  test('must be square for a photo only', () => {
    expect(codeOf(() => photoArea(image(400, 300), area([0, 0, 100, 99])))).toBe('photo.crop');
    expect(coverArea(image(400, 300), area([0, 0, 100, 300]))).toEqual(area([0, 0, 100, 300]));
  });
});
