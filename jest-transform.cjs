// TypeScript by swc; a dependency that is ESM only is turned into CommonJS when a CommonJS one requires it (jest on Node 20 cannot).
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { createTransformer } = require('@swc/jest');

const parser = { syntax: 'typescript', tsx: true, decorators: true };
const transform = { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true, react: { runtime: 'automatic' } };
const own = createTransformer({ swcrc: false, jsc: { target: 'es2022', parser, transform, keepClassNames: true } });
const dependency = createTransformer({ swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } } });
const isDependency = (file) => file.includes('/node_modules/');
const looksLikeEsm = /^\s*(import\s*[\w*{'"]|export\s*[\w*{]|export\s+default)|[;}]\s*export\s*[{*]|\bimport\.meta\b/m;

const version = createHash('sha256').update(readFileSync(__filename)).digest('hex');

module.exports = {
  process: (source, file, options) => {
    // Runs as it is, in Node itself too: swc would turn its import() into require().
    if (file.endsWith('.cjs') && !isDependency(file)) return { code: source };
    if (!isDependency(file)) return own.process(source, file, options);
    return options.supportsStaticESM || !looksLikeEsm.test(source) ? { code: source } : dependency.process(source, file, options);
  },
  processAsync: (source, file, options) => (isDependency(file) ? Promise.resolve({ code: source }) : own.processAsync(source, file, options)),
  getCacheKey: (source, file, options) => `${version}-${own.getCacheKey(source, file, options)}`,
};
