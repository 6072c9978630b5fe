import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** How one variable is read: its meaning (for `.env.example`), its default, and what it must look like. */
interface Variable<Value> {
  readonly about: string;
  readonly secret?: boolean;
  readonly read: (text: string | undefined) => Value;
}

const whole = (name: string, fallback: number, least: number, most: number) => (text: string | undefined) => {
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isInteger(value) || value < least || value > most) throw new Error(`${name}: a whole number from ${least} to ${most}`);
  return value;
};
const optional = (text: string | undefined): string | null => text ?? null;

function url(name: string): (text: string | undefined) => string | null {
  return (text) => {
    if (text === undefined) return null;
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new Error(`${name}: an address that begins with http:// or https://`);
    return text.replace(/\/$/, '');
  };
}

const ROLES = ['web', 'projector', 'reactor'] as const;
export type AppRole = (typeof ROLES)[number];

function roles(text: string | undefined): readonly AppRole[] {
  const asked = (text ?? ROLES.join(',')).split(',').map((role) => role.trim());
  const known = ROLES.filter((role) => asked.includes(role));
  if (asked.some((role) => !ROLES.some((each) => each === role))) throw new Error(`ROLES: some of ${ROLES.join(', ')}`);
  if (known.length < ROLES.length) throw new Error('ROLES: less than all three needs EVENTSTORE_URL, MONGO_URL and S3_ENDPOINT');
  return known;
}

function secretKey(name: string): (text: string | undefined) => string | null {
  return (text) => {
    if (text !== undefined && text.length < 22) throw new Error(`${name}: at least 128 bits, that is 22 characters or more`);
    return text ?? null;
  };
}

/** Every variable that the program reads. The one place that states them. */
const VARIABLES = {
  HOST: { about: 'the address to listen on', read: (text) => text ?? '127.0.0.1' } satisfies Variable<string>,
  PORT: { about: 'the port to listen on; 0 takes any free one and prints it', read: whole('PORT', 3000, 0, 65_535) } satisfies Variable<number>,
  PUBLIC_URL: { about: 'where browsers open it; http://localhost:PORT when missing', read: url('PUBLIC_URL') } satisfies Variable<string | null>,
  DATA_DIR: { about: 'the folder that holds everything of the embedded default', read: (text) => resolve(text ?? 'data') } satisfies Variable<string>,
  ROLES: { about: 'what this process does', read: roles } satisfies Variable<readonly AppRole[]>,
  ADMIN_KEY: {
    about: 'the secret key of /api/admin/{key}; made in DATA_DIR at the first start',
    secret: true,
    read: secretKey('ADMIN_KEY'),
  } satisfies Variable<string | null>,
  MASTER_KEY: {
    about: "the key that wraps the vault's keys; made in DATA_DIR at the first start",
    secret: true,
    read: secretKey('MASTER_KEY'),
  } satisfies Variable<string | null>,
  SMTP_URL: { about: 'a mail server; without it letters go to DATA_DIR/outbox', secret: true, read: optional } satisfies Variable<string | null>,
  MAIL_FROM: { about: 'the sender of letters', read: (text) => text ?? 'Roughmix <roughmix@localhost>' } satisfies Variable<string>,
  TRUST_PROXY: { about: 'the proxies whose X-Forwarded-For counts, comma-separated addresses or ranges', read: optional } satisfies Variable<string | null>,
  LOG_LEVEL: { about: 'trace, debug, info, warn, error or silent', read: (text) => text ?? 'info' } satisfies Variable<string>,
  LOG_FORMAT: { about: 'json or pretty', read: (text) => (text === 'pretty' ? 'pretty' : 'json') } satisfies Variable<'json' | 'pretty'>,
  TRASH_DAYS: { about: 'how long files of removed things wait before they are deleted', read: whole('TRASH_DAYS', 30, 0, 3650) } satisfies Variable<number>,
  THROTTLE_ADDRESS_PASSWORDS: {
    about: 'wrong passwords of one address in 15 minutes',
    read: whole('THROTTLE_ADDRESS_PASSWORDS', 50, 1, 1_000_000),
  } satisfies Variable<number>,
  THROTTLE_ACCOUNT_PASSWORDS: {
    about: 'wrong passwords of one account in 15 minutes',
    read: whole('THROTTLE_ACCOUNT_PASSWORDS', 10, 1, 1_000_000),
  } satisfies Variable<number>,
  THROTTLE_ADMIN_KEYS: {
    about: 'wrong admin keys of one address in 15 minutes',
    read: whole('THROTTLE_ADMIN_KEYS', 5, 1, 1_000_000),
  } satisfies Variable<number>,
} as const;

type Names = keyof typeof VARIABLES;
/** The program's configuration, checked. */
export type Config = { readonly [Name in Names]: ReturnType<(typeof VARIABLES)[Name]['read']> };

/** Everything that is wrong with the environment, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`the environment does not fit:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

function textOf(name: string, variable: Variable<unknown>, environment: NodeJS.ProcessEnv): string | undefined {
  const file = variable.secret === true ? environment[`${name}_FILE`] : undefined;
  const text = file === undefined ? environment[name] : readFileSync(file, 'utf8').trim();
  return text === '' ? undefined : text;
}

/** Reads and checks the environment; each secret may also lie in the file that `NAME_FILE` names. @throws ConfigError */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(VARIABLES) as [string, Variable<unknown>][]) {
    try {
      config[name] = variable.read(textOf(name, variable, environment));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config;
}

/** The text of `.env.example`. */
export const envExample = (): string =>
  Object.entries(VARIABLES as Record<string, Variable<unknown>>)
    .map(([name, variable]) => `# ${variable.about}${variable.secret === true ? `; or ${name}_FILE` : ''}\n# ${name}=\n`)
    .join('\n');
