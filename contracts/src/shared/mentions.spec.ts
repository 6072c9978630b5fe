import { describe, expect, test } from '@jest/globals';
import { mention, mentionedIn, piecesOf, showMentions, storeMentions } from './mentions.js';

const UIDS: Readonly<Record<string, string>> = { Ana: 'uid_a', "Jo O'Neil-B.": 'uid_j' };
const uidOf = (name: string) => (Object.hasOwn(UIDS, name) ? (UIDS[name] ?? null) : null);
const nameOf = (uid: string) => Object.entries(UIDS).find(([, other]) => other === uid)?.[0] ?? '[unknown user]';

describe('storing and showing mentions', () => {
  test('a known name is stored as its uid, and shown as the current name', () => {
    const { text, uids } = storeMentions(`Hi ${mention('Ana')} and ${mention("Jo O'Neil-B.")}!`, uidOf);
    expect(uids).toEqual(['uid_a', 'uid_j']);
    expect(text).not.toMatch(/Ana|MENTION/);
    expect(mentionedIn(text)).toEqual(['uid_a', 'uid_j']);
    expect(showMentions(text, nameOf)).toBe(`Hi ${mention('Ana')} and ${mention("Jo O'Neil-B.")}!`);
    expect(showMentions(text, () => 'Anna')).toBe(`Hi ${mention('Anna')} and ${mention('Anna')}!`);
  });

  test('unknown names stay as typed', () => {
    const typed = `${mention('Nobody')} %MENTION__END% %MENTION_a_b_END% %MENTION_100%_END% ${mention('Everyone')}`;
    expect(storeMentions(typed, uidOf)).toEqual({ text: typed, uids: [] });
  });

  test('each person is listed once, in the order of the text', () => {
    const { uids, text } = storeMentions([mention("Jo O'Neil-B."), mention('Ana'), mention("Jo O'Neil-B.")].join(' '), uidOf);
    expect(uids).toEqual(['uid_j', 'uid_a']);
    expect(mentionedIn(text)).toEqual(['uid_j', 'uid_a']);
  });

  test('typed text can never pass for a stored mention', () => {
    const { text, uids } = storeMentions('\uFDD0uid_a\uFDD1 \uFDD0\uFDD0', uidOf);
    expect({ text, uids, shown: showMentions(text, nameOf) }).toEqual({ text: 'uid_a ', uids: [], shown: 'uid_a ' });
  });

  test('a username with a dollar sign or a mention in it is not taken for a template', () => {
    const { text } = storeMentions(mention('Ana'), uidOf);
    expect(showMentions(text, () => '$& $1')).toBe(mention('$& $1'));
  });
});

describe('the pieces of a text', () => {
  test.each([
    ['', []],
    ['plain', [{ kind: 'text', text: 'plain' }]],
    [mention('Ana'), [{ kind: 'mention', text: 'Ana' }]],
    [
      `a ${mention('Ana')}${mention('Jo')} b`,
      [
        { kind: 'text', text: 'a ' },
        { kind: 'mention', text: 'Ana' },
        { kind: 'mention', text: 'Jo' },
        { kind: 'text', text: ' b' },
      ],
    ],
  ])('%j is cut into its pieces', (text, pieces) => {
    expect(piecesOf(text)).toEqual(pieces);
  });
});
