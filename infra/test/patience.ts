import { jest } from '@jest/globals';

/**
 * Specs wait for conditions, so a long timeout only allows for a busy machine. It is much longer than the deadlines of the conditions (20 s), whose errors are
 * more specific, because starting the program takes nine seconds of processor time, of which a suite beside others and two busy loops gets a fifth.
 */
jest.setTimeout(120_000);
