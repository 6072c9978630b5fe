import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../contracts/src/shared/limits.js';
import { backupVerify } from '../../backend/src/operations/backup-verify.operation.js';
import { backup } from '../../backend/src/operations/backup.operation.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { SERVER_TIMEOUTS } from '../../backend/src/platform/http/malformed.js';
import { absolutePath, environmentProblems, healthPaths, textOf } from '../test/deployment-files.js';

const nginx = textOf('infra/host/nginx.conf');
const caddy = textOf('infra/host/Caddyfile');
const unit = textOf('infra/host/roughmix.service');
const backupUnit = textOf('infra/host/roughmix-backup.service');
const manual = textOf('docs/operating.md');

/** All values of a setting, in the form of nginx, Caddy or systemd. */
const valuesOf = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\\s*${name}[ =]([^;{\\n]*)`, 'gm'))].map(([, value = '']) => value.trim());
const valueOf = (text: string, name: string): string => valuesOf(text, name).join();
const secondsOf = (text: string, name: string): number => Number(/^(\d+)s?$/.exec(valueOf(text, name))?.[1]);

/** Socket.IO's default, which the program leaves as it is. */
const SECONDS_BETWEEN_PINGS = 25;
/** The default, which an operator who raises it raises in the proxy too. */
const { AUDIO_LIMIT } = readConfig({});
const KEEP_ALIVE_SECONDS = SERVER_TIMEOUTS.keepAliveTimeout / 1_000;

describe('nginx.conf', () => {
  test('lets the largest file through without a copy on the disk, and waits as long as the program may take', () => {
    const [, megabytes = ''] = /^(\d+)m$/.exec(valueOf(nginx, 'client_max_body_size')) ?? [];
    expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(AUDIO_LIMIT);
    expect([valueOf(nginx, 'proxy_request_buffering'), valueOf(nginx, 'proxy_max_temp_file_size')]).toEqual(['off', '0']);
    expect(secondsOf(nginx, 'proxy_read_timeout')).toBeGreaterThan(Math.max(SECONDS_BETWEEN_PINGS, LIMITS.uploadWaitSeconds));
  });

  test('closes idle connections before the program does, upgrades sockets, and replaces X-Forwarded-For', () => {
    expect(secondsOf(nginx, 'keepalive_timeout')).toBeLessThan(KEEP_ALIVE_SECONDS);
    expect(valuesOf(nginx, 'proxy_set_header')).toEqual([
      'Host $host',
      'X-Forwarded-For $remote_addr',
      'Upgrade $http_upgrade',
      'Connection $roughmix_connection',
    ]);
  });

  test('keeps the details of readiness to the machine', () => {
    const [, path = '', block = ''] = /^\tlocation (\/health\/\S+) \{\n([^}]*)\}/m.exec(nginx) ?? [];
    expect(healthPaths()).toContain(path);
    expect(block.trim()).toBe('return 404;');
  });

  test('writes no path, query or referrer into a log', () => {
    const [, format = ''] = /^log_format roughmix (.*);$/m.exec(nginx) ?? [];
    expect([...format.matchAll(/\$\w+/g)].map(([name]) => name)).toEqual([
      '$remote_addr',
      '$time_iso8601',
      '$request_method',
      '$status',
      '$body_bytes_sent',
      '$request_time',
    ]);
    const servers = nginx.split(/^server \{$/m).slice(1);
    expect(servers.map((server) => valueOf(server, 'access_log'))).toEqual(['off', '/var/log/nginx/roughmix.access.log roughmix']);
    expect(servers.map((server) => valueOf(server, 'error_log').split(' ')[1])).toEqual(['crit', 'crit']);
  });
});

describe('Caddyfile', () => {
  test('lets the largest file through, and closes idle connections before the program does', () => {
    expect(Number(/^(\d+)MB$/.exec(valueOf(caddy, 'max_size'))?.[1]) * 1_000_000).toBeGreaterThan(AUDIO_LIMIT);
    expect(secondsOf(caddy, 'keepalive')).toBeLessThan(KEEP_ALIVE_SECONDS);
  });

  test('keeps the details of readiness to the machine', () => {
    const [, path = ''] = /^\trespond (\S+)\* 404$/m.exec(caddy) ?? [];
    expect(healthPaths()).toContain(path);
  });

  test('writes no URL and no header into its only log', () => {
    expect(caddy).toMatch(
      /\tlog default \{\n\t\tformat filter \{\n\t\t\twrap json\n\t\t\tfields \{\n\t\t\t\trequest>uri delete\n\t\t\t\trequest>headers delete\n/,
    );
    expect(caddy.match(/^\s*log\b/gm)).toHaveLength(1);
  });
});

describe('the units of systemd', () => {
  const programOf = (command: string): string => /^\/usr\/bin\/node (backend\/dist\/\w+\.js)/.exec(command)?.[1] ?? '';
  const environmentOf = (text: string): Record<string, string> =>
    Object.fromEntries(valuesOf(text, 'Environment').map((pair) => pair.split('=', 2) as [string, string]));

  test('start programs that are built, with variables that exist and the same data', () => {
    for (const text of [unit, backupUnit]) {
      for (const command of valuesOf(text, 'ExecStart'))
        expect(existsSync(absolutePath(programOf(command).replace('dist', 'src').replace(/js$/, 'ts')))).toBe(true);
      expect(environmentProblems(environmentOf(text))).toEqual([]);
    }
    expect(environmentOf(backupUnit)).toEqual(environmentOf(unit));
    expect(environmentOf(unit)['ERASURES_FILE']).not.toContain(`${environmentOf(unit)['DATA_DIR']}/`);
  });

  test('wait for the whole shutdown, and do not repeat a start that an invalid variable has ended', () => {
    expect([valueOf(unit, 'Restart'), valueOf(unit, 'RestartPreventExitStatus')]).toEqual(['on-failure', '2']);
    expect(secondsOf(unit, 'TimeoutStopSec')).toBeGreaterThan(10);
  });

  test('make a backup and verify it, in a folder that the unit may write', () => {
    const [made = '', verified = ''] = valuesOf(backupUnit, 'ExecStart').map((command) => command.replace(/^.*operate\.js /, ''));
    const valuesFor = ({ name, options }: typeof backup, command: string) =>
      parseArgs({ args: command.slice(name.length + 1).split(' '), options, strict: true }).values;
    const to = valueOf(backupUnit, 'ReadWritePaths');
    expect([valuesFor(backup, made), valuesFor(backupVerify, verified)]).toMatchObject([{ to, keep: '14' }, { from: to }]);
  });
});

test.each(['roughmix.service', 'roughmix-backup.service', 'roughmix-backup.timer', 'nginx.conf', 'Caddyfile'])(
  'docs/operating.md says where %s goes',
  (name) => {
    expect(manual).toContain(`infra/host/${name}`);
  },
);
