// An oxlint plugin: which files may import which (docs/map.md), what pure files may not call, which clock measures durations, and who sends requests.
import { importProblem } from './may-import.js';
import { isPure, roomOf } from './room-of.js';

const imports = {
  create(context) {
    const check = (node) => {
      const source = node.source;
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const message = importProblem(context.filename, source.value, node.importKind === 'type' || node.type === 'TSImportType');
      if (message) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

const impureCalls = new Set(['Date.now', 'Math.random', 'performance.now', 'crypto.randomUUID', 'crypto.getRandomValues']);

const pure = {
  create(context) {
    if (!isPure(roomOf(context.filename))) return {};
    const refuse = (node, what) => context.report({ node, message: `${what} in a pure file: pass time and randomness in with the command or the event` });
    return {
      CallExpression({ callee }) {
        if (callee.type === 'Identifier' && callee.name === 'Date') refuse(callee, 'Date()');
        if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || callee.property.type !== 'Identifier') return;
        const name = `${callee.object.name}.${callee.property.name}`;
        if (impureCalls.has(name)) refuse(callee, name);
      },
      NewExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) refuse(node, 'new Date()');
      },
    };
  },
};

/** The one file that reads the wall clock; everything else is handed it as `Clock`, or measures with `performance.now`. */
const isClock = ({ room, inner }) => room === 'platform' && inner === 'platform/clock';

const monotonic = {
  create(context) {
    const place = roomOf(context.filename);
    if (place?.workspace !== 'backend' || place.isSpec || place.name === 'testing' || isClock(place) || isPure(place)) return {};
    return {
      MemberExpression(node) {
        if (node.object.type !== 'Identifier' || node.object.name !== 'Date' || node.property.type !== 'Identifier' || node.property.name !== 'now') return;
        context.report({ node, message: 'Date.now() jumps when the clock is set: measure durations with performance.now(), and take instants from the Clock' });
      },
    };
  },
};

/** Modules and calls that send HTTP requests. Only `platform/outbound` may, because it checks where they go, and operator commands, which call their own server. */
const REQUESTS = 'requests to other hosts go through platform/outbound, which checks their address';
const maySend = ({ isSpec, name, inner }) => isSpec || name === 'testing' || name === 'operations' || inner.startsWith('platform/outbound/');
const isRequest = ({ type, imported }) => type === 'ImportSpecifier' && (imported.name === 'request' || imported.name === 'get');

const outbound = {
  create(context) {
    const place = roomOf(context.filename);
    if (place?.workspace !== 'backend' || maySend(place)) return {};
    return {
      ImportDeclaration({ source, specifiers }) {
        if (!/^(?:node:)?https?$/.test(source.value)) return;
        for (const specifier of specifiers.filter(isRequest)) context.report({ node: specifier, message: REQUESTS });
      },
      CallExpression({ callee }) {
        if (callee.type === 'Identifier' && callee.name === 'fetch') context.report({ node: callee, message: REQUESTS });
      },
    };
  },
};

export default { meta: { name: 'rooms' }, rules: { imports, pure, monotonic, outbound } };
