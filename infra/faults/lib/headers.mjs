import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../', import.meta.url));
const SUFFIX = '.fault.mjs';
/** What a fault's header says under Gate if its own short form is part of the gate. */
const SHORT_FORM = 'short form';

/**
 * The header of a fault: its first lines, each a comment with a name.
 * @returns {{ promise: string, breaks: string, gate: readonly string[] }} `gate`: what checks the promise in the gate. @throws if a line is missing or misplaced
 */
export function headerIn(text) {
  const [, promise, breaks, gates] = /^\/\/ Promise: (.+)\n\/\/ Breaks: (.+)\n((?:\/\/ Gate: .+\n)+)/.exec(text) ?? [];
  if (promise === undefined) throw new Error('a fault begins with the lines "// Promise: …", "// Breaks: …" and "// Gate: …": see docs/faults.md');
  const gate = gates
    .trimEnd()
    .split('\n')
    .map((line) => line.slice('// Gate: '.length));
  return { promise, breaks, gate };
}

/** Whether the gate runs the short form of a fault. */
export const isInGate = ({ gate }) => gate.includes(SHORT_FORM);

/** The names of all faults, sorted. */
export const faultNames = () =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .toSorted();

/** The header of a fault by its name. @throws as {@link headerIn}, with the name */
export function headerOf(name) {
  try {
    return headerIn(readFileSync(`${FOLDER}${name}${SUFFIX}`, 'utf8'));
  } catch (error) {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  }
}

const gateCell = (header) => (isInGate(header) ? header.gate.join(', ') : header.gate.map((each) => each.replace(/^(\S+)/, '`$1`')).join('; '));

/** The table in docs/faults.md. */
export function promisesTable() {
  const rows = faultNames().map((name) => {
    const header = headerOf(name);
    return `| ${header.promise} | ${name} | ${header.breaks} | ${gateCell(header)} |`;
  });
  return ['| Promise | Fault | What it breaks | In the gate |', '|---|---|---|---|', ...rows].join('\n');
}
