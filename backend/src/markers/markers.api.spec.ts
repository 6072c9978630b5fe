import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MarkerFormat } from '@roughmix/contracts/markers/marker.formats.js';
import { mention } from '@roughmix/contracts/shared/mentions.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, aProjectWith, comment, type CreatedProject, region, reply, todo } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused } from '../testing/test-client.js';
import { complete } from '../testing/todo-calls.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let created: CreatedProject;
let stamp: (at: number) => { stamp: { versionId: string; at: number } };

const query = (who: Person, words: string): Promise<Answer<string>> => who.get(`/api/projects/${created.projectId}/markers?${words}`);
const markers = (format: MarkerFormat, who = bob, versionId = created.versionId): Promise<Answer<string>> =>
  query(who, `versionId=${versionId}&format=${format}`);

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  created = await aProjectWith(ana, { projectName: 'Größe 1/2', viewers: [`${bob.uid}-1`], isPublic: true });
  stamp = (at) => ({ stamp: { versionId: created.versionId, at } });
  const labelled = await region(ana, created, { start: 1, end: 1.5, tag: 'mix', label: 'The\tend, "loud"' });
  const commented = await region(ana, created, { start: 0.5, end: 1, tag: 'style' });
  await region(ana, created, { start: 0, end: 0.25 });
  await comment(bob, created.projectId, { content: `First\n${mention(ana.username)}\nsecond\u202e`, taggedRegions: [{ _id: commented._id }] });
  const { _id } = await comment(bob, created.projectId, { content: '=1+1', ...stamp(1.25), taggedRegions: [{ _id: labelled._id }] });
  await reply(ana, created.projectId, _id);
  await comment(bob, created.projectId);
  await todo(ana, created.projectId, { content: 'Quieter', ...stamp(0.75) });
  const done = await todo(ana, created.projectId, { content: 'Tuned', ...stamp(2) });
  bodyOf(await complete(ana, [done._id]));
  const next = await addVersion(ana, created.projectId);
  await region(ana, { ...created, versionId: next._id });
  await comment(ana, created.projectId, { stamp: { versionId: next._id, at: 0 } });
});
afterAll(() => app.stop());

describe('the markers of a version, in time order', () => {
  test('are its regions, named by label, first post or category, and its stamped comments and active todos, for REAPER', async () => {
    const answer = await markers('reaper');
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="Gr__e 1_2 1.0 REAPER markers.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201_2%201.0%20REAPER%20markers.csv`,
    ]);
    expect(answer.body).toBe(
      [
        '#,Name,Start,End,Length,Color\r\n',
        'R1,General,0:00:00.000,0:00:00.250,0:00:00.250,5F5E1A\r\n',
        'R2,First @Ana Tester second,0:00:00.500,0:00:01.000,0:00:00.500,7449F0\r\n',
        'M1,Todo: Ana Tester: Quieter,0:00:00.750,,,\r\n',
        'R3,"The end, ""loud""",0:00:01.000,0:00:01.500,0:00:00.500,1D4F92\r\n',
        'M2,Bob Tester: =1+1,0:00:01.250,,,\r\n',
      ].join(''),
    );
  });

  test('are labels for Audacity', async () => {
    const { headers, body } = await markers('audacity');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(body).toBe(
      [
        '0.000000\t0.250000\tGeneral\n',
        '0.500000\t1.000000\tFirst @Ana Tester second\n',
        '0.750000\t0.750000\tTodo: Ana Tester: Quieter\n',
        '1.000000\t1.500000\tThe end, "loud"\n',
        '1.250000\t1.250000\tBob Tester: =1+1\n',
      ].join(''),
    );
  });

  test('are a table with whole texts and completed todos', async () => {
    const { body } = await markers('csv');
    expect(body.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, 'DATE')).toBe(
      [
        'kind,start,end,category,name,text,author,date,completed\r\n',
        'region,0.000,0.250,general,General,,Ana Tester,DATE,\r\n',
        'region,0.500,1.000,style,First @Ana Tester second,"First\n@Ana Tester\nsecond",Ana Tester,DATE,\r\n',
        'todo,0.750,,,Todo: Ana Tester: Quieter,Quieter,Ana Tester,DATE,false\r\n',
        `region,1.000,1.500,mix,"The end, ""loud""",'=1+1,Ana Tester,DATE,\r\n`,
        `comment,1.250,,mix,Bob Tester: =1+1,'=1+1,Bob Tester,DATE,\r\n`,
        'todo,2.000,,,Todo: Ana Tester: Tuned,Tuned,Ana Tester,DATE,true\r\n',
      ].join(''),
    );
  });

  test('are a table that starts with a byte order mark, unless told otherwise; other programs get none', async () => {
    const startOf = async (words: string): Promise<string> => {
      const answer = await bob.raw('GET', `/api/projects/${created.projectId}/markers?versionId=${created.versionId}&${words}`);
      return Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 4);
    };
    expect([await startOf('format=csv'), await startOf('format=csv&bom=false')]).toEqual(['\u00ef\u00bb\u00bfk', 'kind']);
    expect([await startOf('format=reaper'), await startOf('format=audacity')]).toEqual(['#,Na', '0.00']);
  });

  test('are a page to print that may load and run nothing, saved or shown', async () => {
    const saved = await markers('print');
    expect(saved.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="Gr__e 1_2 1\.0 markers\.html"; /);
    expect(saved.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox$/,
    );
    expect(saved.body.match(/<tr>/g)).toHaveLength(6);
    const shown = await query(bob, `versionId=${created.versionId}&format=print&inline=true`);
    expect([shown.headers.get('content-disposition')?.split(';')[0], shown.body]).toEqual(['inline', saved.body]);
  });
});

test('only a page to print is shown instead of saved; no file is cached', async () => {
  const { headers } = await query(bob, `versionId=${created.versionId}&format=csv&inline=true`);
  expect([headers.get('content-disposition')?.split(';')[0], headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
    'attachment',
    'no-store',
    'nosniff',
  ]);
});

test('every member may export; visitors may not', async () => {
  expect((await markers('csv', ana)).status).toBe(200);
  expectRefused(await markers('csv', uma), 'project.not-allowed');
  expectRefused(await markers('csv', await app.guest()), 'project.not-allowed');
});

test('a version of another project does not exist here', async () => {
  const other = await aProjectWith(ana);
  expectRefused(await markers('csv', ana, other.versionId), 'version.not-found');
  expectRefused(await markers('csv', ana, ''), 'version.not-found');
});

test.each([
  ['format=csv', 'versionId'],
  ['versionId=x', 'format'],
  ['versionId=x&format=pdf', 'format'],
  ['versionId=x&format=csv&format=print', 'format'],
  ['versionId=x&versionId=y&format=csv', 'versionId'],
])('%s is refused', async (words, field) => {
  expect(await query(bob, words)).toMatchObject({ status: 400, body: { code: 'request.invalid', errors: [{ field }] } });
});
