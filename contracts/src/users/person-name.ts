import { showsNothing } from '../shared/visible-text.js';
import { hasWhiteSpace } from '../shared/white-space.js';

/** Control and format characters: they hide or reorder the text around a name. */
const CONTROL_OR_FORMAT = /[\p{Cc}\p{Cf}]/u;
/** Marks, and characters without a meaning that everybody shares: alone they are no name. */
const NO_LETTER = /[\p{C}\p{M}]/gu;

/** Whether a first or last name may not be used: it has a space, a control or a format character, or nothing that can be seen. '' is a missing name, which may be. */
export const isInvalidName = (name: string): boolean =>
  hasWhiteSpace(name) || CONTROL_OR_FORMAT.test(name) || (name !== '' && showsNothing(name.replace(NO_LETTER, '')));
