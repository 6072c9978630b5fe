const MARK = '#first=';

/** The token in the link that the program prints while it has no account; null in other addresses. */
export const firstAccountToken = (hash: string): string | null => (hash.startsWith(MARK) ? hash.slice(MARK.length) : null);
