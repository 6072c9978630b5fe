// Jest loads this file once in each worker, outside the modules of suites: what it imports stays loaded from suite to suite.
const { readdirSync, statSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const root = resolve(__dirname, '../../..');
const dist = join(root, 'backend/dist');
let isChecked = false;

const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Files that the compiled program is made of; most of what is in `testing` runs from the sources. */
const sourcesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.startsWith('testing'))
    .map((name) => join(folder, name));

/** Suites must never pass or fail by what an earlier source did. */
function refuseOutdated() {
  if (isChecked) return;
  for (const workspace of ['contracts', 'backend']) {
    const built = timeOf(join(root, workspace, 'dist/.tsbuildinfo'));
    const newer = sourcesIn(join(root, workspace, 'src')).find((file) => timeOf(file) > built);
    if (newer !== undefined) throw new Error(`${workspace}/dist is older than ${newer}: run npx tsc -b contracts backend`);
  }
  isChecked = true;
}

const importCompiled = async (path) => {
  refuseOutdated();
  return import(pathToFileURL(join(dist, path)).href);
};

/**
 * Jest creates a suite's context around an object, and each access to a global (`Object`, `Math`) then calls an interceptor, which takes about a microsecond. A
 * context without such an object takes a hundredth of that. Jest has no option for it, so this replaces `vm.createContext` for one call.
 */
function makeNextContextPlain() {
  const { createContext } = vm;
  vm.createContext = () => {
    vm.createContext = createContext;
    return createContext(vm.constants.DONT_CONTEXTIFY);
  };
}

/** Node, and the compiled program beside it (ADR 59): suites start it without loading its modules, and what they leave running ends with them. */
module.exports = class NodeEnvironment extends TestEnvironment {
  constructor(config, context) {
    makeNextContextPlain();
    super(config, context);
    this.running = new Set();
    this.global.compiledProgram = { import: importCompiled, start: (environment, options) => this.start(environment, options) };
  }

  async start(environment, options) {
    const { startTested } = await importCompiled('testing/tested-program.js');
    const program = await startTested(environment, options);
    this.running.add(program);
    const stop = async (...times) => {
      this.running.delete(program);
      await program.stop(...times);
    };
    return { ...program, stop };
  }

  async teardown() {
    const left = [...this.running];
    await Promise.all(left.map((program) => program.stop()));
    await super.teardown();
    if (left.length > 0) throw new Error(`the suite did not stop ${left.length} of its programs`);
  }
};
