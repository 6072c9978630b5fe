// Jest gives each suite modules of its own, and compiles their code for each. Here a worker compiles a CommonJS file once; suites run it in their own contexts.
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PARAMETERS = ['module', 'exports', 'require', '__dirname', '__filename'];
const WRAPPER = `(function (${PARAMETERS.join(', ')}) {`;
/** An import() belongs to the suite whose code calls it, so a file that has one is compiled for each. */
const importsLater = /\bimport\s*\(/;
/** What this worker has compiled, by file name: the code and its script, if it can be shared. */
const compiled = new Map();

function sharedScript(code, filename) {
  const known = compiled.get(filename);
  if (known?.code === code) return known.script;
  const script = importsLater.test(code) ? undefined : new Script(`${WRAPPER}${code}\n})`, { filename, columnOffset: -WRAPPER.length });
  compiled.set(filename, { code, script });
  return script;
}

module.exports = class SharedCodeRuntime extends Runtime {
  constructor(...parts) {
    super(...parts);
    const { executor } = this;
    const compileForSuite = executor.compile.bind(executor);
    executor.compile = (code, filename) => {
      const context = this._environment.getVmContext();
      const script = context && sharedScript(code, filename);
      return script ? script.runInContext(context) : compileForSuite(code, filename);
    };
  }
};
