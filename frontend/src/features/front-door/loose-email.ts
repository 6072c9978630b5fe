const LOOSE_EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Whether a text loosely looks like local part, at-sign, domain. The server is stricter. */
export const isLooselyEmail = (text: string): boolean => LOOSE_EMAIL.test(text.trim());
