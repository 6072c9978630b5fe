import { jest } from '@jest/globals';

// Longer than the timeouts of steps and servers, whose errors are more specific.
jest.setTimeout(300_000);
