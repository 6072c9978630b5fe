import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { mention } from '@roughmix/contracts/shared/mentions.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { trimmed } from '@roughmix/contracts/shared/visible-text.js';
import type { Mentionable } from './mention-search';
import { toWire } from './mention-text';

const MENTIONS_TOO_LONG = `${detailOf('limit.tinySummary')}; each mention counts as ${mention('').length - 1} more`;

/** A version's summary as it is sent, and why it is too long, if it is. */
export function tinySummaryOf(text: string, people: readonly Mentionable[]): { readonly sent: string; readonly problem: string | null } {
  const typed = trimmed(text);
  const sent = toWire(
    typed,
    people.map(({ username }) => username),
  );
  if (typed.length > LIMITS.tinySummary) return { sent, problem: detailOf('limit.tinySummary') };
  return { sent, problem: sent.length > LIMITS.tinySummary ? MENTIONS_TOO_LONG : null };
}
