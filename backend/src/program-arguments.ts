/** What the program's arguments ask for. */
export interface ProgramArguments {
  readonly demo: boolean;
  /** What is said instead of starting, and the exit code then. */
  readonly instead: { readonly text: string; readonly code: 0 | 2 } | null;
}

const USAGE = [
  'usage: node backend/dist/main.js [--demo]',
  '',
  '  --demo   fills an empty data folder with demo songs and says who may sign in',
  '',
  'Settings are environment variables: .env.example has them all, docs/operating.md says what they do.',
  "The operator's commands: npm run -s operate",
].join('\n');

/** Reads the arguments: one that is misspelt does not start something else than was meant. */
export function programArguments(args: readonly string[]): ProgramArguments {
  const demo = args.includes('--demo');
  if (args.includes('--help')) return { demo, instead: { text: USAGE, code: 0 } };
  const unknown = args.find((arg) => arg !== '--demo');
  return { demo, instead: unknown === undefined ? null : { text: `there is no argument ${JSON.stringify(unknown)}\n${USAGE}`, code: 2 } };
}
