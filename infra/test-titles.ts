import { readFile } from 'node:fs/promises';
import { format } from 'node:util';
import { type CallExpression, type Expression, parse, type VariableDeclarator } from '@swc/core';

/** What declares tests and groups of them in a file, and the arrays that its tables may be made of. */
interface Scope {
  readonly declaring: Set<string>;
  readonly arrays: Map<string, Expression>;
}

type Visit = (node: { readonly type: string }) => void;

function walk(node: unknown, visit: Visit): void {
  if (Array.isArray(node)) return node.forEach((each) => walk(each, visit));
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && typeof node.type === 'string') visit(node as { readonly type: string });
  for (const [name, child] of Object.entries(node)) if (name !== 'span') walk(child, visit);
}

/** An expression without the types and brackets around it. */
function bare(node: { readonly type: string }): Expression {
  const wrapped = node as Expression;
  if (wrapped.type === 'ParenthesisExpression' || wrapped.type === 'TsAsExpression' || wrapped.type === 'TsSatisfiesExpression')
    return bare(wrapped.expression);
  if (wrapped.type === 'TsConstAssertion' || wrapped.type === 'TsInstantiation') return bare(wrapped.expression);
  return wrapped;
}

/** Whether a called expression declares tests: `test`, `test.each(rows)`, `(isThere ? describe : describe.skip)`. */
function declares(callee: { readonly type: string }, scope: Scope): boolean {
  const node = bare(callee);
  if (node.type === 'Identifier') return scope.declaring.has(node.value);
  if (node.type === 'MemberExpression') return declares(node.object, scope);
  if (node.type === 'CallExpression') return bare(node.callee).type === 'MemberExpression' && declares(node.callee, scope);
  if (node.type === 'ConditionalExpression') return declares(node.consequent, scope) && declares(node.alternate, scope);
  return false;
}

/** A literal's value; a template is written as in its file. */
function literalOf(value: Expression): string | number | null {
  const node = bare(value);
  if (node.type === 'StringLiteral' || node.type === 'NumericLiteral') return node.value;
  if (node.type !== 'TemplateLiteral') return null;
  return node.quasis.reduce((text, { cooked }, at) => {
    const before = at === 0 ? null : bare(node.expressions[at - 1] as Expression);
    return text + (before === null ? '' : before.type === 'Identifier' ? `\${${before.value}}` : '${}') + (cooked ?? '');
  }, '');
}

/** The rows of a table, as far as they are written in the file. */
function rowsOf(table: Expression, { arrays }: Scope): readonly Expression[] {
  const node = bare(table);
  if (node.type === 'Identifier') {
    const known = arrays.get(node.value);
    return known === undefined ? [] : rowsOf(known, { declaring: new Set(), arrays });
  }
  if (node.type !== 'ArrayExpression') return [];
  return node.elements.flatMap((element) => {
    if (!element) return [];
    return element.spread === null || element.spread === undefined ? [element.expression] : rowsOf(element.expression, { declaring: new Set(), arrays });
  });
}

/** The titles that the rows of a table give, where their first cells are literals. */
function rowTitles(title: string, table: Expression, scope: Scope): readonly string[] {
  const places = [...title.matchAll(/%[sdj]/g)].length;
  if (places === 0) return [];
  return rowsOf(table, scope).flatMap((row) => {
    const node = bare(row);
    const cells = node.type === 'ArrayExpression' ? node.elements.slice(0, places).map((cell) => (cell ? literalOf(cell.expression) : null)) : [literalOf(row)];
    return cells.length === places && cells.every((cell) => cell !== null) ? [format(title, ...cells)] : [];
  });
}

function titlesOf({ callee, arguments: [first] }: CallExpression, scope: Scope): readonly string[] {
  const title = first === undefined ? null : literalOf(first.expression);
  if (typeof title !== 'string' || !declares(callee, scope)) return [];
  const called = bare(callee);
  const table = called.type === 'CallExpression' ? called.arguments[0] : undefined;
  return [title, ...(table === undefined ? [] : rowTitles(title, table.expression, scope))];
}

/** Takes in a constant: another name for `test`, or the rows of a table. */
function define({ id, init }: VariableDeclarator, scope: Scope): void {
  if (id.type !== 'Identifier' || !init) return;
  if (bare(init).type === 'ArrayExpression') scope.arrays.set(id.value, init);
  else if (bare(init).type !== 'CallExpression' && declares(init, scope)) scope.declaring.add(id.value);
}

/** The titles of the tests in a file and of their groups, as they are written; of the tests of a table also as its rows complete them. */
export async function testTitlesIn(path: string): Promise<ReadonlySet<string>> {
  const program = await parse(await readFile(path, 'utf8'), { syntax: 'typescript', tsx: path.endsWith('x'), decorators: true, target: 'es2022' });
  const scope: Scope = { declaring: new Set(['test', 'it', 'describe']), arrays: new Map() };
  const titles = new Set<string>();
  walk(program.body, (node) => node.type === 'VariableDeclarator' && define(node as VariableDeclarator, scope));
  walk(program.body, (node) => {
    if (node.type === 'CallExpression') for (const title of titlesOf(node as CallExpression, scope)) titles.add(title);
  });
  return titles;
}
