// POST /api/comments, the whole way (session, validation, access, append, projection, answer): 32 connections on 32 projects, or on one.
// An open generator sends at a constant rate too, so that stalls show. Usage: node infra/bench/comments.mjs [--seconds 10] [--connections 32] [--rate 0] [--one]
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest, Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    rate: { type: 'string', default: '0' },
    one: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const rate = Number(values.rate);
const agent = new Agent({ keepAlive: true, maxSockets: connections });

const dataFolder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
const server = spawn(process.execPath, ['backend/dist/main.js'], {
  env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataFolder, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let port = 0;
try {
  port = await listening();
  const admin = (await readFile(join(dataFolder, 'admin.key'), 'utf8')).trim();
  await call('POST', `/api/admin/${admin}/users/addUser`, null, {
    email: 'bench@example.org',
    password: 'bench-bench-bench',
    firstName: 'Ben',
    lastName: 'Ch',
  });
  const login = await call('POST', '/api/auth/login', null, { email: 'bench@example.org', password: 'bench-bench-bench' });
  const token = /roughmix_session=([^;]+)/.exec(String(login.headers['set-cookie']))?.[1];
  const projects = [];
  for (let at = 0; at < (values.one ? 1 : connections); at += 1) projects.push(await aProject(token));
  for (const projectId of projects) await analysed(token, projectId);
  const times = rate > 0 ? await open(token, projects) : await closed(token, projects);
  report(times);
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  await rm(dataFolder, { recursive: true, force: true });
}

function listening() {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (more) => {
      text += more;
      const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
      if (found) resolve(Number(found[1]));
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

function call(method, path, token, body) {
  return new Promise((resolve, reject) => {
    const raw = Buffer.isBuffer(body);
    const payload = raw || body === undefined ? body : JSON.stringify(body);
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(raw ? {} : { 'content-type': 'application/json' }),
      ...(payload ? { 'content-length': Buffer.byteLength(payload) } : {}),
    };
    const sent = httpRequest(
      { agent, host: '127.0.0.1', port, method, path, headers: raw ? { ...headers, 'content-type': 'application/octet-stream' } : headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (more) => (text += more));
        answer.once('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: text ? JSON.parse(text) : null }));
      },
    );
    sent.once('error', reject);
    sent.end(payload);
  });
}

async function aProject(token) {
  const { newProject } = (await call('POST', '/api/projects/newProject', token, { submission: { projectName: 'Bench' } })).body;
  const wav = silence();
  const upload = (
    await call('POST', '/api/storage/uploads', token, {
      purpose: 'version',
      filename: 'a.wav',
      contentType: 'audio/wav',
      size: wav.length,
      projectId: newProject._id,
    })
  ).body;
  await call('PUT', upload.url, null, wav);
  const added = await call('POST', '/api/media/newProject', token, { initialVersion: { projectId: newProject._id, uploadId: upload.uploadId } });
  if (added.status !== 201) throw new Error(JSON.stringify(added.body));
  return newProject._id;
}

/** Until the analysis of its version is done, so that child processes do not take the processor. */
async function analysed(token, projectId) {
  const { user } = (await call('GET', '/api/auth/session', token)).body;
  for (;;) {
    const { data } = (await call('GET', `/api/projects/${projectId}/visitor/${user.uid}`, token)).body;
    if (data.versions[0].state === 'ready') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function silence() {
  const wav = Buffer.alloc(44 + 88_200);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(44_100, 24);
  wav.writeUInt32LE(88_200, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(88_200, 40);
  return wav;
}

async function comment(token, projectId, times) {
  const begun = performance.now();
  const { status } = await call('POST', '/api/comments', token, {
    projectId,
    submission: { content: 'The doubles drag behind the beat, listen at the chorus.' },
  });
  times.push({ ms: performance.now() - begun, ok: status === 201 });
}

async function closed(token, projects) {
  const times = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      while (performance.now() < end) await comment(token, projects[at % projects.length], times);
    }),
  );
  return times;
}

async function open(token, projects) {
  const times = [];
  const running = [];
  const begun = performance.now();
  for (let at = 0; at < rate * seconds; at += 1) {
    const due = begun + (at * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    running.push(comment(token, projects[at % projects.length], times));
  }
  await Promise.all(running);
  return times;
}

function report(times) {
  const sorted = times
    .filter(({ ok }) => ok)
    .map(({ ms }) => ms)
    .toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1);
  console.table([
    {
      mode: rate > 0 ? `open ${rate}/s` : 'closed',
      projects: values.one ? 1 : connections,
      connections,
      answered: sorted.length,
      failed: times.length - sorted.length,
      'per second': Math.round(sorted.length / seconds),
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
    },
  ]);
}
