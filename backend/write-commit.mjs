import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Writes the commit that is built for backend/src/platform/version.ts: COMMIT where there is no checkout, as in a container, else the checkout's own.
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = fileURLToPath(new URL('dist/commit.txt', import.meta.url));

function commitOfCheckout() {
  // A source archive may lie inside another repository.
  if (!existsSync(`${ROOT}.git`)) return '';
  try {
    return execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

const commit = (process.env.COMMIT ?? '').slice(0, 7) || commitOfCheckout();
if (commit === '') rmSync(FILE, { force: true });
else writeFileSync(FILE, `${commit}\n`);
