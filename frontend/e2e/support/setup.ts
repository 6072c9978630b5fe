import { jest } from '@jest/globals';

// A journey crosses many pages with a real browser and a real server.
jest.setTimeout(120_000);
