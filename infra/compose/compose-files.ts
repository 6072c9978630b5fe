import { type Environment, substituteVariables, yamlOf } from '../test/deployment-files.js';

/** The fields of a compose service that we use. */
export interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly pull_policy?: string;
  readonly platform?: string;
  readonly restart?: string;
  readonly user?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly profiles?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly mem_limit?: string;
  readonly ulimits?: { readonly nofile: { readonly soft: number; readonly hard: number } };
  readonly stop_grace_period?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Environment;
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  /** Names, or addresses by name. */
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: {
    readonly test?: readonly string[];
    readonly disable?: boolean;
    readonly interval?: string;
    readonly timeout?: string;
    readonly start_period?: string;
    readonly retries?: number;
  };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export interface Compose {
  readonly name?: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const shape = (properties: Record<string, unknown>, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const named = (value: object): object => ({ type: 'object', additionalProperties: value });
const time = { type: 'string', pattern: '^\\d+s$' };

/** The part of the compose specification (compose-spec.io) that our files use; any other key is a mistake. */
export const COMPOSE_SCHEMA = {
  ...shape(
    {
      name: text,
      services: named(
        shape({
          image: text,
          build: shape({ context: text, dockerfile: text, args: shape({ COMMIT: text }, []) }, ['context', 'dockerfile']),
          pull_policy: { enum: ['never', 'missing', 'always'] },
          platform: { enum: ['linux/amd64'] },
          restart: { enum: ['no', 'unless-stopped'] },
          user: { type: 'string', pattern: '^\\d+:\\d+$' },
          init: { type: 'boolean' },
          read_only: { type: 'boolean' },
          profiles: texts,
          cap_add: texts,
          cap_drop: texts,
          security_opt: texts,
          logging: shape({ driver: text, options: named(text) }, ['driver']),
          mem_limit: { type: 'string', pattern: '^\\d+[mg]$' },
          ulimits: shape({ nofile: shape({ soft: { type: 'integer' }, hard: { type: 'integer' } }) }),
          stop_grace_period: time,
          entrypoint: texts,
          command: texts,
          environment: named(text),
          env_file: { type: 'array', items: shape({ path: text, required: { type: 'boolean' } }, ['path', 'required']) },
          networks: { oneOf: [texts, named(shape({ ipv4_address: text }))] },
          network_mode: { const: 'none' },
          ports: texts,
          tmpfs: texts,
          volumes: texts,
          healthcheck: shape({ test: texts, disable: { type: 'boolean' }, interval: time, timeout: time, start_period: time, retries: { type: 'integer' } }),
          depends_on: named(shape({ condition: { enum: ['service_healthy', 'service_completed_successfully'] } }, ['condition'])),
        }),
      ),
      networks: named(shape({ internal: { type: 'boolean' }, ipam: shape({ config: { type: 'array', items: shape({ subnet: text, ip_range: text }) } }) })),
      volumes: named({ oneOf: [{ type: 'null' }, shape({ name: text })] }),
    },
    ['services'],
  ),
  patternProperties: { '^x-': {} },
};

/** A compose file with its variables substituted. */
export function composeOf(path: string, given: Environment = {}): Compose {
  const [file] = yamlOf(path);
  return JSON.parse(substituteVariables(JSON.stringify(file), given)) as Compose;
}

/** A volume's source and target, and whether it is read-only. */
export function mountOf(volume: string): { readonly source: string; readonly target: string; readonly isReadOnly: boolean } {
  const [source = '', target = '', mode] = volume.split(':');
  return { source, target, isReadOnly: mode?.split(',').includes('ro') === true };
}

/** The names of a service's networks. */
export const networksOf = ({ networks = [] }: Service): readonly string[] => (Array.isArray(networks) ? networks : Object.keys(networks)) as readonly string[];

/** True for services that exit when they are done. */
export const isJob = (service: Service): boolean => service.restart === 'no';
/** True for services that run Roughmix, in any role. */
export const isOurs = (service: Service): boolean => service.image?.startsWith('roughmix:') === true;
