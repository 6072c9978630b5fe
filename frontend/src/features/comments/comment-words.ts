import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { mention, piecesOf } from '@roughmix/contracts/shared/mentions.js';

const TITLE_LENGTH = 60;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Typed text to the wire's: every `@name` of somebody known becomes a mention, whatever its capitals. */
export function toWire(typed: string, usernames: readonly string[]): string {
  if (usernames.length === 0) return typed;
  const byName = new Map(usernames.map((name) => [name.toLowerCase(), name]));
  const longestFirst = usernames.toSorted((a, b) => b.length - a.length).map(escaped);
  const written = new RegExp(`(?<![\\p{L}\\p{N}_@%])@(${longestFirst.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return typed.replaceAll(written, (whole, name: string) => {
    const known = byName.get(name.toLowerCase());
    return known === undefined ? whole : mention(known);
  });
}

/** The wire's text as it is typed: mentions as `@name`. */
export const toTyped = (wire: string): string =>
  piecesOf(wire)
    .map(({ kind, text }) => (kind === 'mention' ? `@${text}` : text))
    .join('');

/** Who a wire text mentions, by username. */
export const mentionedNames = (wire: string): readonly string[] => piecesOf(wire).flatMap(({ kind, text }) => (kind === 'mention' ? [text] : []));

/** The beginning of the first comment on each region: what a region without a label is called. */
export function firstWords(comments: readonly CommentView[]): ReadonlyMap<Id, string> {
  const words = new Map<Id, string>();
  for (const comment of comments.toSorted((a, b) => a.dateAdded - b.dateAdded)) {
    if (comment.removed || typeof comment.content !== 'string') continue;
    const text = toTyped(comment.content).replaceAll(/\s+/g, ' ').trim();
    const title = text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : text;
    for (const { _id } of comment.taggedRegions) if (!words.has(_id)) words.set(_id, title);
  }
  return words;
}
