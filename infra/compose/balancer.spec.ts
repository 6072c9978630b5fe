import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { environmentProblems, healthPaths, imageEnvironment, textOf } from '../test/deployment-files.js';
import { composeOf } from './compose-files.js';
import { environmentOf, makeKeys, ours, REAL, serviceOf } from './installation.js';

let keys: string;
beforeAll(() => {
  keys = makeKeys();
});
afterAll(() => rmSync(keys, { recursive: true }));

describe('the balancer', () => {
  const file = textOf('infra/compose/Caddyfile');

  test('forwards to the web processes on their port, with an existing health path', () => {
    const web = ours.filter(([, { environment = {} }]) => environment['ROLES'] === 'web').map(([name]) => `${name}:${imageEnvironment()['PORT']}`);
    expect(file).toContain(`reverse_proxy ${web.join(' ')} {`);
    expect(healthPaths()).toContain(/health_uri (\S+)/.exec(file)?.[1]);
    expect(file).toContain('reverse_proxy s3:7070');
    expect(file).toContain(new URL(serviceOf('balancer').healthcheck?.test?.at(-1) ?? '').port);
  });

  test('keeps URLs, which contain the admin key and signatures, out of its log', () => {
    expect(file).toMatch(/\tlog default \{\n\t\tformat filter \{\n\t\t\trequest>uri delete\n\t\t\trequest>headers delete\n/);
    expect(file.match(/\blog\b/g)).toHaveLength(2);
  });

  test('listens on the public URLs', () => {
    const { SITE_ADDRESS, FILES_ADDRESS } = serviceOf('balancer').environment ?? {};
    const { PUBLIC_URL = '', S3_PUBLIC_ENDPOINT = '' } = serviceOf('web-1').environment ?? {};
    expect([`:${new URL(PUBLIC_URL).port}`, `:${new URL(S3_PUBLIC_ENDPOINT).port}`]).toEqual([SITE_ADDRESS, FILES_ADDRESS]);
    expect(serviceOf('balancer').ports).toEqual([SITE_ADDRESS, FILES_ADDRESS].map((port) => `127.0.0.1${port}${port}`));
  });

  test('with TLS uses two host names, which the program is configured with', () => {
    const hosts = { SITE_HOST: 'mix.example', FILES_HOST: 'files.example' };
    expect(() => composeOf('infra/compose/tls.yml')).toThrow('SITE_HOST');
    // Otherwise Mailpit would keep the e-mails of a public installation.
    expect(() => composeOf('infra/compose/tls.yml', hosts)).toThrow('SMTP_URL');
    const SMTP_URL = 'smtps://roughmix@mail.example';
    const tls = composeOf('infra/compose/tls.yml', { ...hosts, SMTP_URL });
    expect(Object.keys(tls.services)).toEqual(['balancer', ...ours.map(([name]) => name)]);
    expect(tls.services['balancer']?.environment).toEqual({ SITE_ADDRESS: 'mix.example', FILES_ADDRESS: 'files.example' });
    for (const [name] of ours) {
      const added = tls.services[name]?.environment;
      expect(added).toEqual({ PUBLIC_URL: 'https://mix.example', S3_PUBLIC_ENDPOINT: 'https://files.example', SMTP_URL });
      expect(environmentProblems({ ...environmentOf(serviceOf(name), keys), ...added })).toEqual([]);
    }
  });
});

test('TLS is set in .env, so that a later `up` keeps it', () => {
  for (const path of ['infra/compose/tls.yml', 'docs/real-servers.md']) {
    const [, files = ''] = /COMPOSE_FILE=(\S+)/.exec(textOf(path)) ?? [];
    expect(files.split(':')).toEqual([REAL, 'infra/compose/tls.yml']);
    for (const name of ['SITE_HOST', 'FILES_HOST', 'SMTP_URL']) expect(textOf(path)).toMatch(new RegExp(`^\\W+${name}=\\S+$`, 'm'));
  }
});
