import { jest } from '@jest/globals';

/** Specs wait for conditions; how long one may take says nothing, so a busy machine is given time. */
jest.setTimeout(30_000);
