import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { environmentProblems, type Environment, healthPaths, imageEnvironment, absolutePath, secretsIn, textOf, yamlOf } from '../test/deployment-files.js';
import { composeOf } from '../compose/compose-files.js';
import { type Labels, merged, type Resource } from './merged.js';

const FOLDER = 'infra/kustomize';
const VERSION = (JSON.parse(textOf('package.json')) as { readonly version: string }).version;

interface Kustomization {
  readonly kind: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly envs?: readonly string[];
    readonly files?: readonly string[];
    readonly behavior?: string;
  }[];
  readonly patches?: readonly { readonly path?: string; readonly target: { readonly kind: string; readonly name?: string; readonly labelSelector?: string } }[];
  readonly images?: readonly { readonly name: string; readonly newTag: string }[];
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly resources: { readonly requests: unknown; readonly limits: unknown };
  readonly securityContext: unknown;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: unknown;
  readonly automountServiceAccountToken: boolean;
  readonly topologySpreadConstraints: readonly { readonly labelSelector: { readonly matchLabels: Labels } }[];
  readonly containers: readonly Container[];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: { readonly secretName: string };
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}
interface DeploymentSpec {
  readonly replicas: number;
  readonly selector: { readonly matchLabels: Labels };
  readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
}

const kustomizationOf = (folder: string): Kustomization => yamlOf(join(folder, 'kustomization.yaml'))[0] as Kustomization;
const base = kustomizationOf(`${FOLDER}/base`);
const example = kustomizationOf(`${FOLDER}/example`);
const resourcesOf = (folder: string, names: readonly string[] = []): readonly Resource[] =>
  names.filter((name) => name.endsWith('.yaml')).flatMap((name) => yamlOf(join(folder, name)) as readonly Resource[]);
const resources = resourcesOf(`${FOLDER}/base`, base.resources);
const [pod] = yamlOf(`${FOLDER}/base/pod.yaml`) as readonly Resource[];

/** The deployments as applied: each merged with the common patch. */
const deployments = resources
  .filter(({ kind }) => kind === 'Deployment')
  .map(({ metadata, spec }) => {
    const whole = merged(spec, pod?.spec) as DeploymentSpec;
    const [container] = whole.template.spec.containers;
    if (container === undefined) throw new Error(`${metadata.name} has no container`);
    return { name: metadata.name, labels: metadata.labels ?? {}, spec: whole, pod: whole.template.spec, container };
  });
const ofKind = (kind: string): readonly Resource[] => resources.filter((each) => each.kind === kind);
const has = (labels: Labels, wanted: Labels): boolean => Object.entries(wanted).every(([name, value]) => labels[name] === value);

/** The variables of a config map's source file. */
const variablesIn = (path: string): Environment =>
  Object.fromEntries([...textOf(path).matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
const common = variablesIn(`${FOLDER}/base/roughmix.env`);
const addresses = variablesIn(`${FOLDER}/example/addresses.env`);
const SECRETS: Environment = {
  'admin-key': '6e1f0c2b9a8d47e3b5c4d2f1a09e8b7c',
  'master-key': '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  'eventstore-url': 'esdb+discover://roughmix:a-password@eventstore.storage.svc:2113',
  'mongo-url': 'mongodb://roughmix:a-password@mongo-0.storage.svc,mongo-1.storage.svc/roughmix?replicaSet=rs0&tls=true',
  's3-access-key-id': 'roughmix',
  's3-secret-access-key': 'a-secret',
  'smtp-url': 'smtps://roughmix:a-password@mail.example.org',
};

let keys: string;
beforeAll(() => {
  keys = mkdtempSync(join(tmpdir(), 'roughmix-keys-'));
  for (const [name, value] of Object.entries(SECRETS)) writeFileSync(join(keys, name), `${value}\n`);
});
afterAll(() => rmSync(keys, { recursive: true }));

describe('the kustomizations', () => {
  test.each(['base', 'example', 'components/pod-monitor', 'components/prometheus-rule', 'components/own-erasures', 'components/backup'])(
    '%s lists exactly the files in its folder',
    (name) => {
      const folder = `${FOLDER}/${name}`;
      const { resources: own = [], components = [], configMapGenerator = [], patches = [] } = kustomizationOf(folder);
      const listed = [
        ...own,
        ...components,
        ...configMapGenerator.flatMap(({ envs = [], files = [] }) => [...envs, ...files]),
        ...patches.flatMap(({ path }) => path ?? []),
      ];
      expect(listed.filter((each) => !existsSync(absolutePath(normalize(join(folder, each)))))).toEqual([]);
      const here = listed.filter((each) => dirname(each) === '.');
      expect([...here, 'kustomization.yaml'].toSorted()).toEqual(readdirSync(absolutePath(folder)).toSorted());
    },
  );

  test('pin the image to the version', () => {
    expect([base, example].map(({ images = [] }) => images.map(({ name, newTag }) => `${name}:${newTag}`))).toEqual([
      [`roughmix:${VERSION}`],
      [`roughmix:${VERSION}`],
    ]);
    expect(new Set(deployments.map(({ container }) => container.image))).toEqual(new Set(['roughmix']));
  });

  test('apply the common patch to every deployment', () => {
    const [patch] = base.patches ?? [];
    expect(patch?.target).toEqual({ kind: 'Deployment', labelSelector: 'app.kubernetes.io/name=roughmix' });
    expect(deployments.filter(({ labels }) => labels['app.kubernetes.io/name'] !== 'roughmix')).toEqual([]);
    expect(deployments.flatMap(({ container }) => container.envFrom.map(({ configMapRef }) => configMapRef.name))).toEqual([
      'roughmix',
      'roughmix',
      'roughmix',
    ]);
    expect([base, example].flatMap(({ configMapGenerator = [] }) => configMapGenerator.map(({ name, behavior }) => [name, behavior]))).toEqual([
      ['roughmix', undefined],
      ['roughmix', 'merge'],
    ]);
  });

  test('contain no secret, only a reference to one', () => {
    expect(ofKind('Secret')).toEqual([]);
    expect(secretsIn({ ...common, ...addresses })).toEqual([]);
    for (const { pod: spec } of deployments) expect(spec.volumes.flatMap(({ secret }) => secret?.secretName ?? [])).toEqual(['roughmix']);
  });
});

describe('the deployments', () => {
  test('have one deployment per role, with two replicas', () => {
    expect(deployments.map(({ name, spec, container }) => [name, spec.replicas, container.env])).toEqual(
      ['web', 'projector', 'reactor'].map((role) => [`roughmix-${role}`, 2, [{ name: 'ROLES', value: role }]]),
    );
  });

  test('set only variables that the program reads, with valid values', () => {
    for (const { name, container } of deployments) {
      const own = Object.fromEntries(container.env.map((each) => [each.name, each.value]));
      const environment = Object.entries({ ...imageEnvironment(), ...common, ...addresses, ...own }).map(([each, value]) => [
        each,
        value.replace('/run/keys', keys),
      ]);
      expect([name, environmentProblems(Object.fromEntries(environment) as Environment)]).toEqual([name, []]);
    }
  });

  test('are probed on existing ports and paths', () => {
    for (const { container } of deployments) {
      expect(container.ports).toEqual([
        { name: 'http', containerPort: Number(imageEnvironment()['PORT']) },
        { name: 'metrics', containerPort: Number(common['METRICS_PORT']) },
      ]);
      const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
      expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(['/health/live', '/health/ready', '/health/live']);
      expect(probes.filter(({ httpGet }) => httpGet.port !== 'http' || !healthPaths().includes(httpGet.path))).toEqual([]);
    }
  });

  test('run with minimal privileges', () => {
    for (const { pod: spec, container } of deployments) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } });
      expect(container.securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(container.resources).toMatchObject({ requests: { cpu: expect.any(String), memory: expect.any(String) }, limits: { memory: expect.any(String) } });
    }
    expect(textOf('infra/Dockerfile')).toContain('\nUSER 1000:1000\n');
  });

  test('write only to mounted volumes, and exit before they are killed', () => {
    const { DATA_DIR = '' } = imageEnvironment();
    for (const { pod: spec, container } of deployments) {
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(spec.volumes.map(({ name }) => name));
      const writable = container.volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath);
      expect(writable).toEqual([dirname(common['ERASURES_FILE'] ?? ''), DATA_DIR, '/tmp']);
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(container.lifecycle.preStop.exec.command[1]) + 10);
    }
  });
});

describe('everything else', () => {
  test('selects existing pods', () => {
    for (const { labels, spec } of deployments) {
      expect([spec.selector.matchLabels, spec.template.metadata.labels]).toEqual([labels, labels]);
      expect(spec.template.spec.topologySpreadConstraints.map(({ labelSelector }) => labelSelector.matchLabels)).toEqual([labels]);
    }
    const budgets = ofKind('PodDisruptionBudget').map(({ metadata, spec }) => [metadata.name, spec]);
    expect(budgets).toEqual(deployments.map(({ name, labels }) => [name, { maxUnavailable: 1, selector: { matchLabels: labels } }]));
    const [service] = ofKind('Service').map(({ spec }) => spec as { readonly selector: Labels; readonly ports: readonly { readonly targetPort: string }[] });
    expect(deployments.filter(({ labels }) => has(labels, service?.selector ?? {})).map(({ name }) => name)).toEqual(['roughmix-web']);
    expect(service?.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
  });

  test('allows HTTP to web processes only, from the ingress controller that TRUST_PROXY counts on, and metrics from labelled namespaces', () => {
    interface Policy {
      readonly podSelector: { readonly matchLabels: Labels };
      readonly ingress: readonly { readonly ports: readonly { readonly port: string }[]; readonly from?: unknown }[];
    }
    const labelled = (label: string) => [{ namespaceSelector: { matchLabels: { [label]: 'true' } } }];
    const doors = ofKind('NetworkPolicy').map(({ spec }) => {
      const { podSelector, ingress } = spec as Policy;
      const behind = deployments.filter(({ labels }) => has(labels, podSelector.matchLabels)).map(({ name }) => name);
      return [behind, ingress.map(({ ports, from }) => [ports.map(({ port }) => port), from])];
    });
    expect(doors).toEqual([
      [['roughmix-web'], [[['http'], labelled('roughmix/ingress')]]],
      [deployments.map(({ name }) => name), [[['metrics'], labelled('roughmix/metrics')]]],
    ]);
    expect(common['TRUST_PROXY']).toBe('1');
  });

  test('keeps the list of erased people where every process can reach it', () => {
    const [claim] = ofKind('PersistentVolumeClaim');
    expect(claim?.spec).toMatchObject({ accessModes: ['ReadWriteMany'] });
    expect(new Set(deployments.flatMap(({ pod: spec }) => spec.volumes.flatMap((each) => each.persistentVolumeClaim?.claimName ?? [])))).toEqual(
      new Set([claim?.metadata.name]),
    );
    expect(example.patches?.map(({ target }) => target.name)).toEqual([claim?.metadata.name]);
  });

  test('routes the public URL to the service', () => {
    const [ingress] = resourcesOf(`${FOLDER}/example`, example.resources);
    const { host } = new URL(addresses['PUBLIC_URL'] ?? '');
    const backend = { service: { name: ofKind('Service')[0]?.metadata.name, port: { name: 'http' } } };
    expect(ingress?.spec).toMatchObject({ tls: [{ hosts: [host] }], rules: [{ host, http: { paths: [{ path: '/', backend }] } }] });
    const [files, door] = yamlOf(`${FOLDER}/example/files.yaml`) as readonly Resource[];
    const filesHost = new URL(addresses['S3_PUBLIC_ENDPOINT'] ?? '').host;
    const filesBackend = { service: { name: files?.metadata.name, port: { name: 's3' } } };
    expect(door?.spec).toMatchObject({
      tls: [{ hosts: [filesHost] }],
      rules: [{ host: filesHost, http: { paths: [{ path: '/', backend: filesBackend }] } }],
    });
    expect(files?.spec).toMatchObject({ ports: [{ name: 's3', port: Number(new URL(addresses['S3_ENDPOINT'] ?? '').port) }] });
    expect(textOf(`${FOLDER}/example/files.yaml`)).toContain('proxy-body-size: 48m');
    const [monitor] = yamlOf(`${FOLDER}/components/pod-monitor/pod-monitor.yaml`) as readonly Resource[];
    expect(monitor?.spec).toMatchObject({
      selector: { matchLabels: { 'app.kubernetes.io/name': 'roughmix' } },
      podMetricsEndpoints: [{ port: 'metrics', path: '/metrics' }],
    });
  });
});

/** The spec of the first object in a component's file. */
function specIn<Spec>(path: string): Spec {
  const [object] = yamlOf(`${FOLDER}/components/${path}`) as readonly Resource[];
  if (object === undefined) throw new Error(`${path} is empty`);
  return object.spec as Spec;
}

describe('the components', () => {
  test('makes a volume of root writable for the processes, by the only container that runs as root', () => {
    const [patch] = kustomizationOf(`${FOLDER}/components/own-erasures`).patches ?? [];
    expect(patch?.target).toEqual(base.patches?.[0]?.target);
    const { template } = specIn<{ readonly template: { readonly spec: { readonly initContainers: readonly unknown[] } } }>('own-erasures/own-erasures.yaml');
    expect(template.spec.initContainers).toEqual([
      expect.objectContaining({
        image: 'roughmix',
        command: ['chown', '1000:1000', dirname(common['ERASURES_FILE'] ?? '')],
        volumeMounts: [{ name: 'erasures', mountPath: dirname(common['ERASURES_FILE'] ?? '') }],
        securityContext: expect.objectContaining({ runAsUser: 0, capabilities: { drop: ['ALL'], add: ['CHOWN'] } }) as unknown,
      }),
    ]);
  });

  test('backs up by the script that compose uses, with the same image and variables', () => {
    const folder = `${FOLDER}/components/backup`;
    const { jobTemplate } = specIn<{ readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: PodSpec } } } }>('backup/backup.yaml');
    const [container] = jobTemplate.spec.template.spec.containers;
    const compose = composeOf('docker-compose.yml').services['backup'];
    expect(kustomizationOf(folder).images?.map(({ name, newTag }) => `${name}:${newTag}`)).toEqual([compose?.image]);
    expect(container?.env.map(({ name }) => name)).toEqual(Object.keys(compose?.environment ?? {}));
    expect(container?.volumeMounts.map(({ name }) => name)).toEqual(jobTemplate.spec.template.spec.volumes.map(({ name }) => name));
    expect(compose?.volumes?.[0]).toBe(`./${folder}/backup.sh:${compose?.entrypoint?.[1]}:ro,z`);
  });

  test('has the alert rules of infra/prometheus for the Prometheus operator', () => {
    expect(specIn('prometheus-rule/prometheus-rule.yaml')).toEqual(yamlOf('infra/prometheus/alerts.yml')[0]);
  });

  test('needs no operator in the cluster unless a component is added', () => {
    expect(example.components).toEqual([]);
  });
});
