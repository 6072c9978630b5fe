import { expect, test } from '@jest/globals';
import { paths } from './paths';

const owner = {
  _id: 'ana',
  uid: 'ana',
  username: 'Ana de Vries',
  firstName: '',
  lastName: '',
  smallPhoto: '',
  largePhoto: '',
  photoURL: '',
  name: 'Ana',
  notes: { public: '' },
};

test('an own project lies under projects', () => {
  expect(paths.project({ _id: 'p1', owner }, 'ana')).toBe('/projects/p1');
});

test("somebody else's lies under the owner's name, lower-cased, spaces as hyphens", () => {
  expect(paths.project({ _id: 'p1', owner }, 'bob')).toBe('/ana-de-vries/projects/p1');
});
