import { hasWhiteSpace } from '../shared/white-space.js';

/** Control and format characters: they hide or reorder the text around a name. */
const CONTROL_OR_FORMAT = /[\p{Cc}\p{Cf}]/u;
/** What shows nothing by itself; U+2800 is the empty Braille cell. */
const INVISIBLE = /[\p{C}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a first or last name may not be used: it has a space, a control or a format character, or nothing that can be seen. '' is a missing name, which may be. */
export const isInvalidName = (name: string): boolean =>
  hasWhiteSpace(name) || CONTROL_OR_FORMAT.test(name) || (name !== '' && name.replace(INVISIBLE, '') === '');
