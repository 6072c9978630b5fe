import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

configure({
  // What is waited for comes; a busy machine only needs longer.
  asyncUtilTimeout: 10_000,
  // What stands in a box is a value, not words of the page: whoever looks for what was just typed means where it ends up.
  defaultIgnore: 'script, style, textarea',
});

afterEach(cleanup);
