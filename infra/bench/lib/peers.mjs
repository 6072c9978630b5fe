// The peer servers of answers.mjs: programs installed on this machine, each in its own folder on a free port.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../faults/lib/free-port.mjs';

const START_MS = 20_000;
const BARE = fileURLToPath(new URL('../bare-nest-server.mjs', import.meta.url));
/** PostgreSQL does not run as root. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function isInstalled(program, args) {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false; // the caller reports it as skipped
  }
}

async function waitForPort(port) {
  for (const until = Date.now() + START_MS; Date.now() < until; await pause(20)) {
    const socket = connect({ port, host: '127.0.0.1' });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error(`port ${port} was not open within ${START_MS} ms`);
}

async function stopProcess(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}

/** Nest with Fastify and two routes. */
export async function startBareNest(env = {}) {
  const child = spawn(process.execPath, [BARE], { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env } });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { url: line.trim(), pid: child.pid, stop: () => stopProcess(child, 'SIGKILL') };
}

/** PostgreSQL with default settings, or null if it is not installed. */
export async function startPostgres(folder) {
  if (!isInstalled('initdb', ['--version'])) return null;
  const data = join(folder, 'postgres');
  await mkdir(data, { mode: 0o700 });
  if (UNPRIVILEGED.uid !== undefined) {
    chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    chownSync(data, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  }
  execFileSync('initdb', ['-D', data, '-U', 'bench', '--auth=trust', '--no-sync'], { stdio: 'ignore', cwd: folder, ...UNPRIVILEGED });
  const port = Number(await freePort());
  const child = spawn('postgres', ['-D', data, '-p', String(port), '-k', data, '-h', '127.0.0.1'], { stdio: 'ignore', cwd: folder, ...UNPRIVILEGED });
  await waitForPort(port);
  return { url: `postgres://bench@127.0.0.1:${port}/postgres`, pid: child.pid, stop: () => stopProcess(child, 'SIGINT') };
}

/** nginx serving a folder with one worker, or null if it is not installed. */
export async function startNginx(folder, root) {
  if (!isInstalled('nginx', ['-v'])) return null;
  const port = Number(await freePort());
  const at = (name) => join(folder, name);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${at(name)};`).join(' ');
  await writeFile(
    at('nginx.conf'),
    `${UNPRIVILEGED.uid === undefined ? '' : 'user root; '}worker_processes 1; daemon off; master_process off; pid ${at('nginx.pid')}; error_log ${at('nginx.log')};
    events { worker_connections 256; }
    http { access_log off; sendfile on; keepalive_requests 1000000; ${temporary} server { listen 127.0.0.1:${port}; root ${root}; } }`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', at('nginx.conf'), '-e', at('nginx.log')], { stdio: 'ignore' });
  await waitForPort(port);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid, stop: () => stopProcess(child, 'SIGTERM') };
}
