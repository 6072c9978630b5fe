/** Takes the place of an address. */
const REMOVED = '[link removed]';

const OPENING = new Set('([{<"\'“‘«');
const CLOSING = new Set(')]}>"\'”’»,;:!?…');

/** Characters of names of hosts, and the dots between them. */
const DOTTED = /[\p{L}\p{N}_.-]+/gu;
/** What ends the name of a host: two letters or more, or the encoded form of an international one. */
const TOP_LEVEL = /^(?:\p{L}{2,}|xn--.+)$/u;
const NUMBER = /^\d{1,3}$/;

const labelsOf = (dotted: string): readonly string[] => dotted.split('.').filter((label) => label !== '');
const isHost = (labels: readonly string[]): boolean => labels.length > 1 && TOP_LEVEL.test(labels.at(-1) ?? '');
const isNumericAddress = (labels: readonly string[]): boolean => labels.length === 4 && labels.every((label) => NUMBER.test(label));

/** As mail programs read it: compatibility forms of letters and dots are letters and dots, and what is invisible is not there. */
const readable = (word: string): string => word.normalize('NFKC').replace(/\p{Cf}/gu, '');

function isAddress(word: string): boolean {
  if (word.includes('://') || word.toLowerCase().includes('www.')) return true;
  return [...word.matchAll(DOTTED)].some(({ 0: dotted, index }) => {
    const after = word.slice(index + dotted.length);
    const labels = labelsOf(dotted.split('..').at(-1) ?? '');
    return after.length > 1 && '/:?#'.includes(after.charAt(0)) && (isHost(labels) || isNumericAddress(labels));
  });
}

/** Breaks up what mail programs may take for the name of a host: those link it by itself. Dots at its ends stay. */
function brokenUp(dotted: string): string {
  const parts = dotted.split('..').map((part) => {
    const labels = labelsOf(part);
    return isHost(labels) ? `${part.startsWith('.') ? '.' : ''}${labels.join(' ')}${part.endsWith('.') ? '.' : ''}` : part;
  });
  return parts.join('..');
}

/** The word without the punctuation around it, and that punctuation. */
function unwrapped(word: string): readonly [before: string, inner: string, after: string] {
  let [from, to] = [0, word.length];
  while (from < to && OPENING.has(word.charAt(from))) from += 1;
  while (to > from && CLOSING.has(word.charAt(to - 1))) to -= 1;
  return [word.slice(0, from), word.slice(from, to), word.slice(to)];
}

function withoutAddress(word: string): string {
  const [before, inner, after] = unwrapped(word);
  const read = readable(inner);
  if (isAddress(read)) return `${before}${REMOVED}${after}`;
  const unlinked = read.replace(DOTTED, brokenUp);
  return unlinked === read ? word : `${before}${unlinked}${after}`;
}

/**
 * A text without anything that mail programs make a link of: addresses are removed, and words that read like the name of a host lose their dots, since they
 * may as well be the name of a person or a file. So nobody sends links of their own in our e-mails.
 */
export const withoutAddresses = (text: string): string => text.replace(/\S+/g, withoutAddress);
