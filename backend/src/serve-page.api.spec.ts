import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PhotoAnswer } from '@roughmix/contracts/users/user.view.js';
import sharp from 'sharp';
import { type Person, startApp, type TestApp } from './testing/app.js';
import { upload } from './testing/project-over-http.js';
import { bodyOf, type TestClient } from './testing/test-client.js';

/** Written last by the build of the page. */
const PAGES = fileURLToPath(new URL('../../frontend/dist/pages/pages.json', import.meta.url));
const PUBLIC_URL = 'http://mix.example';

let app: TestApp;
let ana: Person;
const visitor = (): TestClient => app.anonymous;

beforeAll(async () => {
  if (!existsSync(PAGES)) throw new Error('The page is not built: run `npm run build` first.');
  app = await startApp({ PUBLIC_URL });
  ana = await app.person('Ana');
});
afterAll(() => app.stop());

async function textAt(path: string, who: TestClient = visitor()): Promise<string> {
  const answer = await who.raw('GET', path);
  expect(answer.status).toBe(200);
  return answer.text();
}
const contentOf = (html: string, pattern: RegExp): string | undefined => pattern.exec(html)?.[1];
const isPrerendered = (html: string): boolean => !html.includes('<div id="root"></div>');

describe('the public pages', () => {
  test.each([
    ['/', 'Roughmix beta: finish songs together', 'Your rough mix has something to say.'],
    ['/login', 'Log In | Roughmix beta', 'Look around as a guest'],
    ['/passwordReset', 'Reset Password | Roughmix beta', 'Reset Password'],
    ['/contact', 'Connect with Us | Roughmix beta', 'Connect with Us'],
    ['/privacy', 'Privacy Policy | Roughmix beta', 'Effective 3 June 2021'],
    ['/terms', 'Terms of Use | Roughmix beta', 'Effective 17 May 2021'],
    ['/terms/projects-terms-of-service', 'Projects and Community Terms | Roughmix beta', 'Private Remix License'],
  ])('%s is HTML with its title, description and address, and without an inline script', async (path, title, words) => {
    const html = await textAt(path);
    expect(contentOf(html, /<title>([^<]*)<\/title>/)).toBe(title);
    expect(contentOf(html, /<meta name="description" content="([^"]+)"/)?.length).toBeGreaterThan(40);
    expect(contentOf(html, /<link rel="canonical" href="([^"]*)"/)).toBe(`${PUBLIC_URL}${path}`);
    expect(contentOf(html, /<meta property="og:url" content="([^"]*)"/)).toBe(`${PUBLIC_URL}${path}`);
    expect(contentOf(html, /<meta property="og:image" content="([^"]*)"/)).toBe(`${PUBLIC_URL}/site/card.png`);
    expect(html).toContain(words);
    expect(html).not.toContain('origin.invalid');
    expect([...html.matchAll(/<script(?![^>]*\ssrc=)/g)]).toEqual([]);
    expect([...html.matchAll(/\son\w+="/g)]).toEqual([]);
    for (const [, file = ''] of html.matchAll(/(?:src|href)="(\/(?:assets|site)\/[^"]+)"/g)) await textAt(file);
  });

  test.each(['/', '/login', '/passwordReset'])('%s is not shown to who has a session, because the page redirects them', async (path) => {
    expect(isPrerendered(await textAt(path))).toBe(true);
    expect(isPrerendered(await textAt(path, ana))).toBe(false);
    expect((await visitor().raw('GET', path)).headers.get('vary')).toMatch(/\bCookie\b/);
  });

  test.each(['/contact', '/privacy', '/terms', '/terms/projects-terms-of-service'])('%s is the same for signed-in users', async (path) => {
    expect(await textAt(path, ana)).toBe(await textAt(path));
  });

  test('are sent again only when they have changed', async () => {
    const first = await visitor().raw('GET', '/terms');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await fetch(`${app.url}/terms`, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('are the only ones for search engines', async () => {
    expect(await textAt('/robots.txt')).toBe(`User-agent: *\nAllow: /api/users/\nDisallow: /api/\n\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`);
    const listed = [...(await textAt('/sitemap.xml')).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url);
    expect(listed).toEqual(
      ['/', '/login', '/passwordReset', '/contact', '/privacy', '/terms', '/terms/projects-terms-of-service'].map((path) => `${PUBLIC_URL}${path}`),
    );
    const indexed = await Promise.all(
      ['/', '/terms', '/projects', '/@ana-tester', '/nowhere'].map(async (path) => (await visitor().raw('GET', path)).headers.get('x-robots-tag')),
    );
    expect(indexed).toEqual([null, null, 'noindex', null, 'noindex']);
  });

  test('name an app that can be installed, with icons that exist', async () => {
    const answer = await visitor().raw('GET', '/manifest.webmanifest');
    expect(answer.headers.get('content-type')).toMatch(/^application\/manifest\+json/);
    const { name, icons } = (await answer.json()) as { readonly name: string; readonly icons: readonly { readonly src: string }[] };
    expect(name).toBe('Roughmix beta');
    for (const { src } of icons) await textAt(src);
  });

  test('are no files of their own', async () => {
    expect(isPrerendered(await textAt('/pages/terms.html'))).toBe(false);
  });
});

describe('the page of a profile', () => {
  const ogIn = (html: string): Record<string, string> =>
    Object.fromEntries([...html.matchAll(/<meta property="og:(\w+)" content="([^"]*)"/g)].map(([, name = '', content = '']) => [name, content]));

  async function setPhoto(who: Person): Promise<PhotoAnswer> {
    const png = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { uploadId } = await upload(who, png, { purpose: 'profile-photo', filename: 'me.png' });
    return bodyOf(await who.put<PhotoAnswer>(`/api/users/${who.uid}/photo`, { uploadId }));
  }

  test('has the title, description and picture of its person', async () => {
    const zoe = await app.person('Zoe');
    bodyOf(await zoe.put(`/api/users/${zoe.uid}`, { firstName: 'Zoë', lastName: '<Łuk>', username: 'Zoë Łuk' }));
    const html = await textAt('/@zo%C3%AB-%C5%82uk');
    const description = 'Zoë &lt;Łuk> makes music on Roughmix.';
    const url = `${PUBLIC_URL}/@zo%C3%AB-%C5%82uk`;
    const shown = { type: 'profile', site_name: 'Roughmix', title: 'Zoë &lt;Łuk>', description, url, image: `${PUBLIC_URL}/site/card.png` };
    expect(ogIn(html)).toEqual(shown);
    expect([...html.matchAll(/<title>([^<]*)/g)].map(([, title]) => title)).toEqual(['Zoë &lt;Łuk> | Roughmix beta']);
    expect([...html.matchAll(/name="description" content="([^"]*)"/g)].map(([, text]) => text)).toEqual([description]);
    const { largePhoto } = await setPhoto(zoe);
    await zoe.put(`/api/users/${zoe.uid}`, { info: { about: 'Plays\n"bass" & sings' }, username: 'Zoe Luk' });
    const changed = { ...shown, description: 'Plays &quot;bass&quot; &amp; sings', url: `${PUBLIC_URL}/@zoe-luk`, image: `${PUBLIC_URL}${largePhoto}` };
    for (const path of ['/@zo%C3%AB-%C5%82uk', '/@zoe-luk?from=x']) expect(ogIn(await textAt(path))).toEqual(changed);
    await zoe.put(`/api/users/${zoe.uid}`, { info: { about: `${'x'.repeat(199)}🎸` } });
    expect(ogIn(await textAt('/@zoe-luk'))).toEqual({ ...changed, description: 'x'.repeat(199) });
  });

  test.each([
    ['an unknown slug', '/@nobody-here'],
    ['the guest', '/@guest'],
    ['a person who hides from search engines', '/@noa-tester'],
  ])('of %s has no tags and is not indexed', async (_what, path) => {
    if (path === '/@noa-tester') {
      const noa = await app.person('Noa');
      await noa.put(`/api/users/${noa.uid}`, { settings: { profile: { noindex: true } } });
    }
    const answer = await visitor().raw('GET', path);
    expect([answer.status, answer.headers.get('x-robots-tag'), ogIn(await answer.text())]).toEqual([200, 'noindex', {}]);
  });
});
