import { expect, test } from '@jest/globals';
import { pictureFileProblem, pictureSizeProblem, SETTINGS_PICTURES, WELCOME_PICTURES } from './picture-file';

test.each([
  ['image/png', 2_000, null, null],
  ['image/jpeg', 10_000_000, null, null],
  ['image/gif', 2_000, null, 'Needs to be a png or jpeg image'],
  ['image/webp', 2_000, 'Needs to be a png, jpeg or gif image', 'Needs to be a png or jpeg image'],
  ['image/svg+xml', 2_000, 'Needs to be a png, jpeg or gif image', 'Needs to be a png or jpeg image'],
  ['image/png', 0, "Cloud files aren't allowed. Download locally first", "Cloud files aren't allowed. Download locally first"],
  ['image/png', 10_000_001, 'Images can be at most 10 MB', 'Images can be at most 10 MB'],
])('%s of %d bytes, on the welcome page: %s, in the settings: %s', (type, size, welcome, settings) => {
  expect(pictureFileProblem({ type, size }, WELCOME_PICTURES)).toBe(welcome);
  expect(pictureFileProblem({ type, size }, SETTINGS_PICTURES)).toBe(settings);
});

test('a picture has at most 50 megapixels', () => {
  expect(pictureSizeProblem(10_000, 5_000)).toBeNull();
  expect(pictureSizeProblem(10_000, 5_001)).toBe('Images can have at most 50 megapixels');
});
