import { jest } from '@jest/globals';

// A journey crosses many pages with a real browser and a real server, whose own limits say more when they are passed first.
jest.setTimeout(300_000);
