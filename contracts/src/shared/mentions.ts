import type { Uid } from './ids.js';

/*
 * A mention has three forms. On the wire: `%MENTION_{username}_END%`. In events and documents: the uid between two Unicode
 * noncharacters, which are stripped from typed text, so that it can never pass for a stored mention. On the page: a bold @name.
 */
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';
const STORED = /\uFDD0([A-Za-z0-9_]+)\uFDD1/g;
const WIRE = /%MENTION_([^%_]{1,60})_END%/g;

/** The name that mentions every other member. */
export const EVERYONE = 'Everyone';

/** The wire form of a mention. */
export const mention = (username: string): string => `%MENTION_${username}_END%`;

/** Whether a wire text has mentions, of known names or not. */
export const hasMentions = (wireText: string): boolean => withoutMarks(wireText).search(WIRE) >= 0;

/** Removes the two code points that only stored mentions may hold. */
const withoutMarks = (text: string): string => text.replaceAll(OPEN, '').replaceAll(CLOSE, '');

/**
 * Wire text to stored text: a known name becomes its uid; other names stay as typed.
 * @returns the text, and the mentioned uids without duplicates, in the order of the text
 */
export function storeMentions(wireText: string, uidOf: (username: string) => Uid | null): { readonly text: string; readonly uids: readonly Uid[] } {
  const uids = new Set<Uid>();
  const text = withoutMarks(wireText).replace(WIRE, (whole, name: string) => {
    const uid = uidOf(name);
    if (uid === null) return whole;
    uids.add(uid);
    return `${OPEN}${uid}${CLOSE}`;
  });
  return { text, uids: [...uids] };
}

/** Stored text to wire text, with current usernames. */
export const showMentions = (stored: string, usernameOf: (uid: Uid) => string): string =>
  stored.replace(STORED, (_whole, uid: Uid) => mention(usernameOf(uid)));

/** The uids that a stored text mentions, in order, without duplicates. */
export const mentionedIn = (stored: string): readonly Uid[] => [...new Set([...stored.matchAll(STORED)].map((found) => found[1] ?? ''))];

/** A piece of displayed text: typed text, or a mentioned name. */
export type TextPiece = { readonly kind: 'text' | 'mention'; readonly text: string };

/** Splits wire text into plain text and mentions, which are shown as a bold @name. */
export function piecesOf(wireText: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const found of wireText.matchAll(WIRE)) {
    if (found.index > end) pieces.push({ kind: 'text', text: wireText.slice(end, found.index) });
    pieces.push({ kind: 'mention', text: found[1] ?? '' });
    end = found.index + found[0].length;
  }
  if (end < wireText.length) pieces.push({ kind: 'text', text: wireText.slice(end) });
  return pieces;
}
