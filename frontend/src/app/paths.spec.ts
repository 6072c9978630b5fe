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
  notes: { public: '', hash: { public: '' } },
};

test("the user's own project is under /projects", () => {
  expect(paths.project({ _id: 'p1', owner }, 'ana')).toBe('/projects/p1');
});

test("another user's project is under the owner's name, lower-cased, with hyphens for spaces", () => {
  expect(paths.project({ _id: 'p1', owner }, 'bob')).toBe('/ana-de-vries/projects/p1');
});
