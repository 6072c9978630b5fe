import { buildName } from './platform/version.js';

/** The parsed command line. */
export interface ProgramArguments {
  readonly demo: boolean;
  /** If the program should exit instead of starting: what to print, and the exit code. */
  readonly exit: { readonly text: string; readonly code: 0 | 2 } | null;
}

const USAGE = [
  'usage: node backend/dist/main.js [--demo | --version]',
  '',
  '  --demo     fills an empty data folder with demo songs and prints the accounts',
  '  --version  prints the version and the commit',
  '',
  'Settings are environment variables: .env.example lists them, docs/operating.md explains them.',
  'Operator commands: npm run -s operate',
].join('\n');

/** Parses the arguments. A misspelt one is refused instead of ignored. */
export function programArguments(args: readonly string[]): ProgramArguments {
  const demo = args.includes('--demo');
  if (args.includes('--help')) return { demo, exit: { text: USAGE, code: 0 } };
  if (args.includes('--version')) return { demo, exit: { text: `Roughmix ${buildName()}`, code: 0 } };
  const unknown = args.find((arg) => arg !== '--demo');
  return { demo, exit: unknown === undefined ? null : { text: `unknown argument ${JSON.stringify(unknown)}\n${USAGE}`, code: 2 } };
}
