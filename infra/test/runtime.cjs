// Jest gives each suite modules of its own, and compiles their code for each. Here a worker compiles a CommonJS file once; suites run it in their own contexts.
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PARAMETERS = ['module', 'exports', 'require', '__dirname', '__filename'];
const TYPES = [
  'Array',
  'BigInt',
  'Boolean',
  'Error',
  'Function',
  'Map',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'TypeError',
];
const OTHERS = ['JSON', 'Math', 'Reflect', 'Infinity', 'NaN', 'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'WeakMap', 'WeakRef', 'WeakSet'];
/**
 * Globals of the language, which nothing replaces. jsdom's context searches its window for each access to a global, which takes half a microsecond; a variable of
 * a function takes none.
 */
const BUILTINS = [...TYPES, ...OTHERS];
const WRAPPER = `(function (${BUILTINS.join(', ')}) { return function (${PARAMETERS.join(', ')}) {`;
const builtins = new Script(`[${BUILTINS.join(', ')}]`);
/** An import() belongs to the suite whose code calls it, so a file that has one is compiled for each. */
const importsLater = /\bimport\s*\(/;
/** What this worker has compiled, by file name: the code and its script, if it can be shared. */
const compiled = new Map();

function sharedScript(code, filename) {
  const known = compiled.get(filename);
  if (known?.code === code) return known.script;
  const script = importsLater.test(code) ? undefined : new Script(`${WRAPPER}${code}\n}})`, { filename, columnOffset: -WRAPPER.length });
  compiled.set(filename, { code, script });
  return script;
}

module.exports = class SharedCodeRuntime extends Runtime {
  constructor(...parts) {
    super(...parts);
    const { executor } = this;
    let own;
    const compileForSuite = executor.compile.bind(executor);
    executor.compile = (code, filename) => {
      const context = this._environment.getVmContext();
      const script = context && sharedScript(code, filename);
      if (!script) return compileForSuite(code, filename);
      own ??= builtins.runInContext(context);
      return script.runInContext(context)(...own);
    };
  }
};
