import { jest } from '@jest/globals';

/** Specs wait for conditions, so a long timeout only allows for a busy machine. */
jest.setTimeout(30_000);
