import { toTyped } from './mention-text';

/** The beginning of a wire text on one line, at most `length` characters. */
export function textStart(wire: string, length: number): string {
  const text = toTyped(wire).replaceAll(/\s+/g, ' ').trim();
  return text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;
}
