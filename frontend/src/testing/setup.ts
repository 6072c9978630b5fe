import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

// What is waited for comes; a busy machine only needs longer.
configure({ asyncUtilTimeout: 10_000 });

afterEach(cleanup);
