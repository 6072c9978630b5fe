// npm run dev: runs compiler, server and Vite in watch mode, and stops them together. Arguments are passed to the server (`-- --demo`).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const port = process.env.PORT ?? '3000';
const pageAddress = 'http://localhost:5173';
const running = new Map();
let ending = false;

/** Starts a process in its own group, so that its children stop with it. */
function start(name, args, { env = {}, cwd = root, stdout = 'inherit' } = {}) {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', stdout, 'inherit'], detached: true, env: { ...process.env, ...env } });
  running.set(name, child);
  child.once('exit', (code) => {
    running.delete(name);
    if (!ending) {
      console.error(`${name} exited with ${code}`);
      endAll(1);
    }
  });
  return child;
}

function endAll(exitCode) {
  ending = true;
  process.exitCode = exitCode;
  signalAll('SIGTERM');
  setTimeout(() => signalAll('SIGKILL'), 10_000).unref();
}

function signalAll(signal) {
  for (const child of running.values()) signalGroup(child.pid, signal);
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // It has already exited.
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Resolves after the compiler's first complete build. */
async function firstBuild(compiler) {
  for (;;) {
    const [chunk] = await once(compiler.stdout, 'data');
    process.stdout.write(chunk);
    if (/Found \d+ error/.test(chunk)) break;
  }
  compiler.stdout.pipe(process.stdout);
}

process.on('SIGINT', () => endAll(130)).on('SIGTERM', () => endAll(143));

const compiler = start('tsc', ['node_modules/typescript/bin/tsc', '-b', '-w', '--preserveWatchOutput', 'contracts', 'backend'], { stdout: 'pipe' });
compiler.stdout.setEncoding('utf8');
await Promise.race([firstBuild(compiler), once(compiler, 'exit')]);
if (!ending) {
  const server = ['--watch', '--watch-preserve-output', 'backend/dist/main.js', ...process.argv.slice(2)];
  start('server', server, { env: { PORT: port, PUBLIC_URL: pageAddress } });
  start('page', [`${root}node_modules/vite/bin/vite.js`], { cwd: `${root}frontend`, env: { SERVER_URL: `http://127.0.0.1:${port}` } });
}
