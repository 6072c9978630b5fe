import { mention, piecesOf } from '@roughmix/contracts/shared/mentions.js';

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Converts typed text to the wire format: every `@name` of a known user becomes a mention, whatever its case. */
export function toWire(typed: string, usernames: readonly string[]): string {
  if (usernames.length === 0) return typed;
  const byName = new Map(usernames.map((name) => [name.toLowerCase(), name]));
  const longestFirst = usernames.toSorted((a, b) => b.length - a.length).map(escaped);
  // oxlint-disable-next-line regexps/linear -- escaped names do not repeat
  const written = new RegExp(`(?<![\\p{L}\\p{N}_@%])@(${longestFirst.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return typed.replaceAll(written, (whole, name: string) => {
    const known = byName.get(name.toLowerCase());
    return known === undefined ? whole : mention(known);
  });
}

/** The usernames that a wire text mentions. */
export const mentionedNames = (wire: string): readonly string[] => piecesOf(wire).flatMap(({ kind, text }) => (kind === 'mention' ? [text] : []));
