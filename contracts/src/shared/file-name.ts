import { withoutControls, withoutDirections } from './visible-text.js';

/** Absolute, on any system, or relative to a folder that it names. A name such as 'AC/DC live.wav' is none. */
const PATH = /^(?:[A-Za-z]:)?[\\/]|^\.{1,2}[\\/]/;

/**
 * The name of a file for saving it, from the name that was sent with it: without the folders of a path, which some clients send, and without characters
 * that hide or reorder others. Slashes within a name become underscores. May be empty.
 */
export function fileNameIn(sent: string): string {
  const name = withoutDirections(withoutControls(sent)).replaceAll('\n', '');
  const parts = name.split(/[\\/]/);
  const last = parts.findLastIndex((part) => part.trim() !== '');
  return PATH.test(name) ? (parts[last] ?? '') : parts.slice(0, last + 1).join('_');
}
