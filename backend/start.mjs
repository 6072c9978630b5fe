import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// npm runs this. It loads an entry of the built program (main or operate), or says that the program is not built.
const [entry = 'main', ...args] = process.argv.slice(2);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NEEDED = [`backend/dist/${entry}.js`, 'contracts/dist', 'node_modules'];

const missing = NEEDED.find((path) => !existsSync(`${ROOT}${path}`));
if (missing === undefined) {
  process.argv = [process.argv[0], `${ROOT}backend/dist/${entry}.js`, ...args];
  await import(`./dist/${entry}.js`);
} else {
  process.stderr.write(`Roughmix is not built (${missing} is missing): run npm ci && npm run build\n`);
  process.exitCode = 1;
}
