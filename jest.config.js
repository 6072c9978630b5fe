import { bundledPackages } from './infra/test/bundled-packages.mjs';
import { contractSuites } from './infra/test/contract-suites.mjs';

const shared = {
  rootDir: '.',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  injectGlobals: false,
  runtime: '<rootDir>/infra/test/runtime.cjs',
  transform: { '\\.(c|m)?(t|j)sx?$': '<rootDir>/jest-transform.cjs' },
  transformIgnorePatterns: [],
  moduleNameMapper: {
    // Each suite would load the hundreds of files of which these are made.
    '^(class-validator|class-transformer)$': '<rootDir>/node_modules/$1/bundles/$1.umd.js',
    '^@roughmix/contracts/(.*)\\.js$': '<rootDir>/contracts/src/$1.ts',
    '\\.module\\.css$': '<rootDir>/frontend/src/testing/class-names-of-modules.cjs',
    '\\.css$': '<rootDir>/frontend/src/testing/no-styles.cjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};
// Suites against a server that is not there cannot run; `npm run contracts` names them as skipped.
const withoutServer = contractSuites().filter(({ missing }) => missing.length > 0);

export default {
  // A worker keeps the modules of every file it has run. Grown workers spend most of their time collecting garbage, so they are replaced.
  workerIdleMemoryLimit: '700MB',
  projects: [
    {
      ...shared,
      displayName: 'node',
      testEnvironment: '<rootDir>/backend/src/testing/node-environment.cjs',
      setupFilesAfterEnv: ['<rootDir>/infra/test/patience.ts'],
      testMatch: ['<rootDir>/{contracts,backend,infra}/**/*.spec.ts'],
      testPathIgnorePatterns: ['/dist/', '/node_modules/', ...withoutServer.map(({ spec }) => `/${spec.replaceAll('.', '\\.')}$`)],
    },
    {
      ...shared,
      displayName: 'page',
      testEnvironment: '<rootDir>/frontend/src/testing/jsdom-environment.cjs',
      setupFilesAfterEnv: ['<rootDir>/infra/test/patience.ts', '<rootDir>/frontend/src/testing/setup.ts'],
      moduleNameMapper: { ...shared.moduleNameMapper, ...(await bundledPackages()) },
      testMatch: ['<rootDir>/frontend/src/**/*.spec.{ts,tsx}'],
    },
    {
      ...shared,
      displayName: 'journeys',
      testEnvironment: '<rootDir>/backend/src/testing/node-environment.cjs',
      globalSetup: '<rootDir>/frontend/e2e/support/unpack-chromium.cjs',
      setupFilesAfterEnv: ['<rootDir>/frontend/e2e/support/setup.ts'],
      testMatch: ['<rootDir>/frontend/e2e/**/*.journey.ts'],
    },
  ],
};
