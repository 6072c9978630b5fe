const shared = {
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  injectGlobals: false,
  transform: { '\\.(c|m)?(t|j)sx?$': '<rootDir>/jest-transform.cjs' },
  transformIgnorePatterns: [],
  moduleNameMapper: {
    '^@roughmix/contracts/(.*)\\.js$': '<rootDir>/contracts/src/$1.ts',
    '\\.css$': '<rootDir>/frontend/src/testing/no-styles.cjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

export default {
  projects: [
    { ...shared, rootDir: '.', displayName: 'node', testEnvironment: 'node', testMatch: ['<rootDir>/{contracts,backend,infra}/**/*.spec.ts'], testPathIgnorePatterns: ['/dist/', '/node_modules/'] },
    {
      ...shared,
      rootDir: '.',
      displayName: 'page',
      testEnvironment: '<rootDir>/frontend/src/testing/jsdom-environment.cjs',
      setupFilesAfterEnv: ['<rootDir>/frontend/src/testing/setup.ts'],
      testMatch: ['<rootDir>/frontend/src/**/*.spec.{ts,tsx}'],
    },
  ],
};
