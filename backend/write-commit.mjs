import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Records the commit for backend/src/platform/version.ts: COMMIT if it is set, as in a container build without a checkout, else the checkout's.
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
