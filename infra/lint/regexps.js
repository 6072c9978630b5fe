// An oxlint plugin: regular expressions take linear time, because headers, bodies and texts of other people meet them.
import { analyse } from 'scslre';

const FIRST = { maxReports: 1 };

const linear = {
  create(context) {
    return {
      Literal(node) {
        if (!node.regex) return;
        const { pattern, flags } = node.regex;
        const [slow] = analyse({ source: pattern, flags }, FIRST).reports;
        if (!slow) return;
        const time = slow.exponential ? 'exponential' : 'quadratic';
        context.report({ node, message: `takes ${time} time or worse on a text with many characters of /${slow.character.literal.source}/` });
      },
      NewExpression({ callee, arguments: [pattern] }) {
        if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || pattern?.type === 'Literal') return;
        context.report({ node: callee, message: 'is put together while the program runs, so its time cannot be checked' });
      },
    };
  },
};

export default { meta: { name: 'regexps' }, rules: { linear } };
