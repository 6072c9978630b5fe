import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../../operations/operations.js';
import { Metrics } from './metrics.js';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

interface MetricInfo {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
  readonly help: string;
}

let metrics: readonly MetricInfo[];
let page: string;

beforeAll(async () => {
  const { registry } = new Metrics({ version: 'spec', commit: null });
  metrics = registry.getMetricsAsArray().map((metric: object) => metric as MetricInfo);
  page = await readFile(`${repository}docs/operating.md`, 'utf8');
});

/** The metrics named in a text that do not exist; a histogram is named by its series. */
function unknownIn(text: string): readonly string[] {
  const names = new Set(metrics.flatMap(({ name, type }) => (type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name])));
  return [...text.matchAll(/\b(?:roughmix|nodejs|process)_\w+/g)].map(([name]) => name).filter((name) => !names.has(name));
}

const own = (): readonly MetricInfo[] => metrics.filter(({ name }) => name.startsWith('roughmix_'));

describe('docs/operating.md', () => {
  test('lists every metric with its kind, its labels and its meaning', () => {
    const rows = own().map(({ name, type, labelNames, help }) => `| \`${name}\` | ${type} | ${labelNames.join(', ')} | ${help} |`);
    expect(page.split('\n').filter((line) => line.startsWith('| `roughmix_'))).toEqual(rows);
  });

  test('names exactly the operations of the command line', () => {
    const named = [...page.matchAll(/^\| `operate -- ([a-z]+(?:[ -][a-z]+)*)/gm)].map(([, name = '']) => name.trim());
    expect(named.toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted());
  });

  test('explains every alert, in the section that the alert names', async () => {
    const alerts = await readFile(`${repository}infra/prometheus/alerts.yml`, 'utf8');
    const named = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    const linked = [...alerts.matchAll(/runbook_url: docs\/operating\.md#(\w+)$/gm)].map(([, anchor = '']) => anchor);
    const sections = [...page.matchAll(/^### (Roughmix\w+)$/gm)].map(([, name = '']) => name);
    expect(linked).toEqual(named.map((name) => name.toLowerCase()));
    expect(sections).toEqual(named);
  });
});

describe('the Prometheus and Grafana files', () => {
  test.each(['infra/prometheus/alerts.yml', 'infra/grafana/roughmix.dashboard.json'])('%s names only metrics that exist', async (path) => {
    const text = (await readFile(repository + path, 'utf8')).replaceAll('roughmix_build_info, instance', 'roughmix_build_info');
    expect(text).toContain('roughmix_');
    expect(unknownIn(text)).toEqual([]);
  });

  test('the alerts name the job of every scrape configuration', async () => {
    const read = (path: string): Promise<string> => readFile(`${repository}infra/${path}`, 'utf8');
    expect([...(await read('prometheus/alerts.yml')).matchAll(/job="(\w+)"/g)].map(([, job]) => job)).toEqual(['roughmix', 'roughmix']);
    for (const path of ['prometheus/prometheus.yml', 'prometheus/compose.yml']) expect(await read(path)).toMatch(/- job_name: roughmix$/m);
    const monitor = await read('kustomize/components/pod-monitor/pod-monitor.yaml');
    expect(monitor).toContain('jobLabel: app.kubernetes.io/name');
    expect(monitor).toContain('matchLabels: { app.kubernetes.io/name: roughmix }');
  });

  test('the dashboard shows every metric, each panel with its own id', async () => {
    const text = await readFile(`${repository}infra/grafana/roughmix.dashboard.json`, 'utf8');
    const missing = own().filter(({ name }) => !text.includes(name));
    expect(missing.map(({ name }) => name)).toEqual(['roughmix_projector_checkpoint_position']);
    const { panels } = JSON.parse(text) as { panels: readonly { id: number }[] };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

test('labels are few, and none contains input of a caller', () => {
  const labels = new Set(own().flatMap(({ labelNames }) => labelNames));
  expect([...labels].toSorted()).toEqual(
    'channel chore code command commit kind method name node outcome projector reactor reason route state status store version way work'.split(' '),
  );
});
